// Creating: POST on the collection.
extension Resource.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST of a draft to the collection.
    ///
    /// - Parameter draft: the content of the new item; the server adds the rest.
    /// - Returns: the call, not sent yet.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        context.createEndpoint(Body(draft))
    }
}

extension Resource where Access: Creatable, Element: Representation {
    /// Creates an item and returns the server's version.
    ///
    /// - Parameter draft: the content of the new item; the server adds the rest.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

// Updating: PUT on one.
extension Resource.Endpoints where Access: Updatable, Element: Entity {
    /// Returns a PUT of an item's replacement; see ``Representation/Replacement``.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - replacement: the state that takes the place of the present one.
    /// - Returns: the call, not sent yet.
    public func update(_ id: Element.ID, _ replacement: Element.Replacement) -> Endpoint<Element> {
        context.updateEndpoint(Body(replacement), id: OperationID(id))
    }
}

extension Resource.Endpoints where Access: Updatable, Element: Entity, Element.Replacement == Element {
    /// Returns a PUT of the whole item.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the call, not sent yet.
    public func update(_ element: Element) -> Endpoint<Element> {
        context.updateEndpoint(Body(element), id: OperationID(element.id))
    }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Replaces the item with an id and returns the server's version.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - replacement: the state that takes the place of the present one.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ id: Element.ID, _ replacement: Element.Replacement) async throws(APIError) -> Element {
        try await endpoints.update(id, replacement).send()
    }
}

extension Resource where Access: Updatable, Element: Entity, Element.Replacement == Element {
    /// Replaces an item and returns the server's version; the argument stays as it is.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ element: Element) async throws(APIError) -> Element {
        try await endpoints.update(element).send()
    }
}

// Patching: PATCH on one.
extension Resource.Endpoints where Access: Patchable, Element: Entity {
    /// Returns a PATCH with changes, as a JSON merge patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - changes: the members to change.
    /// - Returns: the call, not sent yet.
    public func patch(_ id: Element.ID, _ changes: Element.Patch) -> Endpoint<Element> {
        context.patchEndpoint(changes, id: OperationID(id))
    }

    /// Returns a PATCH with the difference between two states of an item, as a JSON merge patch (RFC 7396); nil if
    /// they are equal.
    ///
    /// A field that the new state leaves out is removed by `null`; objects are compared field by field, arrays whole.
    ///
    /// - Parameters:
    ///   - old: the state as it was read.
    ///   - new: the state that is wanted.
    /// - Returns: the call, not sent yet; nil if nothing has changed.
    /// - Throws: ``APIError/request(_:)`` if the two have different ids, or cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try context.differenceEndpoint(from: old, to: new, id: (OperationID(old.id), OperationID(new.id)))
    }
}

extension Resource where Access: Patchable, Element: Entity {
    /// Changes an item and returns the server's version.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - changes: the members to change.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ id: Element.ID, _ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(id, changes).send()
    }

    /// Sends the difference between two states of an item, and returns the server's version; if there is no difference,
    /// nothing is sent, and the new state is returned.
    ///
    /// - Parameters:
    ///   - old: the state as it was read.
    ///   - new: the state that is wanted.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the two have different ids.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

// Deleting: DELETE on one.
extension Resource.Endpoints
where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Returns a DELETE of the item with an id.
    ///
    /// - Parameter id: the id of the item.
    /// - Returns: the call, not sent yet.
    public func delete(_ id: Element.ID) -> Endpoint<Void> {
        context.endpoint(.delete, .delete, id: OperationID(id), .ignoring)
    }

    /// Returns a DELETE of an item.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the call, not sent yet.
    public func delete(_ element: Element) -> Endpoint<Void> { delete(element.id) }
}

extension Resource where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Deletes the item with an id.
    ///
    /// - Parameter id: the id of the item.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func delete(_ id: Element.ID) async throws(APIError) { try await endpoints.delete(id).send() }

    /// Deletes an item.
    ///
    /// - Parameter element: the item, with its id.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server no longer has the item.
    public func delete(_ element: Element) async throws(APIError) { try await delete(element.id) }
}

// Creating or replacing: PUT on one that may not be there yet (RFC 9110, section 9.3.4).
extension Resource.Endpoints where Access: Upsertable, Element: Entity {
    /// Returns a PUT of an item under an id, which creates or replaces it; see ``Representation/Replacement``.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - replacement: the state that takes the place of the present one.
    /// - Returns: the call, not sent yet.
    public func upsert(_ id: Element.ID, _ replacement: Element.Replacement) -> Endpoint<WriteResult.Upserted<Element>>
    {
        context.upsertEndpoint(Body(replacement), id: OperationID(id))
    }
}

extension Resource.Endpoints where Access: Upsertable, Element: Entity, Element.Replacement == Element {
    /// Returns a PUT of the whole item, which creates or replaces it.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the call, not sent yet.
    public func upsert(_ element: Element) -> Endpoint<WriteResult.Upserted<Element>> {
        context.upsertEndpoint(Body(element), id: OperationID(element.id))
    }
}

extension Resource where Access: Upsertable, Element: Entity {
    /// Creates the item with an id, or replaces it, and returns the server's version with what has happened.
    ///
    /// With the condition `IfNoneMatch(.any)` it only creates: `users.with { IfNoneMatch(.any) }.upsert("bo", user)`.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - replacement: the state that takes the place of the present one.
    /// - Returns: the server's version, and whether it is new.
    /// - Throws: ``APIError``.
    @discardableResult
    public func upsert(
        _ id: Element.ID,
        _ replacement: Element.Replacement
    ) async throws(APIError) -> WriteResult.Upserted<Element> {
        try await endpoints.upsert(id, replacement).send()
    }
}

extension Resource where Access: Upsertable, Element: Entity, Element.Replacement == Element {
    /// Creates an item under its id, or replaces it, and returns the server's version with what has happened; the
    /// argument stays as it is.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the server's version, and whether it is new.
    /// - Throws: ``APIError``.
    @discardableResult
    public func upsert(_ element: Element) async throws(APIError) -> WriteResult.Upserted<Element> {
        try await endpoints.upsert(element).send()
    }
}

extension WriteResult {
    /// The result of a PUT that creates or replaces an item.
    ///
    /// ```swift
    /// switch try await staff.users.upsert(user) {
    /// case .created(let user): greet(user)
    /// case .replaced(let user): show(user)
    /// }
    /// ```
    public enum Upserted<Element: Sendable>: Sendable {
        /// The item is new: the response has the status 201.
        case created(Element)
        /// The item was there before: the response has another status of success.
        case replaced(Element)

        /// The server's version of the item.
        public var value: Element {
            switch self {
            case .created(let element), .replaced(let element): element
            }
        }

        /// Whether the item is new.
        public var isCreated: Bool { if case .created = self { true } else { false } }
    }
}

extension WriteResult.Upserted: Equatable where Element: Equatable {}

extension WriteResult.Upserted: Hashable where Element: Hashable {}

// Responses that are something other than the entity.
extension Endpoint {
    /// Returns the same call, whose response is another value, such as a receipt.
    ///
    /// ```swift
    /// let deleted = try await shop.products.endpoints.delete(7).returning(Review.self).send()
    /// ```
    ///
    /// ``WriteResult`` does not apply to it.
    ///
    /// - Parameter type: the type of the value.
    /// - Returns: the call.
    public func returning<Other: Decodable & Sendable>(_ type: Other.Type) -> Endpoint<Other> { reading(.decoding()) }

    /// Returns the same call, of whose response the body does not matter.
    ///
    /// ```swift
    /// try await shop.products.endpoints.create(draft).returning(Void.self).send()
    /// ```
    ///
    /// ``WriteResult`` does not apply to it. For a batch, a failure of an item that the server reports is an
    /// ``APIError/ItemsFailure`` nevertheless.
    ///
    /// - Parameter type: `Void`.
    /// - Returns: the call.
    public func returning(_ type: Void.Type) -> Endpoint<Void> {
        if case .batch(let count) = target.write { reading(.batchIgnoring(count: count)) } else { reading(.ignoring) }
    }

    private func reading<Other>(_ reader: ValueReader<Other>) -> Endpoint<Other> {
        var target = target
        target.write = nil
        return Endpoint<Other>(client: client, scopes: scopes, target: target, reader: reader)
    }
}
