// Creating: POST on the collection.
extension Resource.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST request that creates an item from a draft.
    ///
    /// - Parameter draft: the content of the new item, without server-generated members.
    /// - Returns: the endpoint; nothing is sent yet.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        context.createEndpoint(Body(draft))
    }
}

extension Resource where Access: Creatable, Element: Representation {
    /// Creates an item and returns the server's version.
    ///
    /// - Parameter draft: the content of the new item, without server-generated members.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

// Updating: PUT on one item.
extension Resource.Endpoints where Access: Updatable, Element: Entity {
    /// Returns a PUT request with an item's replacement; see ``Representation/Replacement``.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - replacement: the new state of the item.
    /// - Returns: the endpoint; nothing is sent yet.
    public func update(_ id: Element.ID, _ replacement: Element.Replacement) -> Endpoint<Element> {
        context.updateEndpoint(Body(replacement), id: OperationID(id))
    }
}

extension Resource.Endpoints where Access: Updatable, Element: Entity, Element.Replacement == Element {
    /// Returns a PUT request with a whole item.
    ///
    /// - Parameter element: the new state of the item, including its id.
    /// - Returns: the endpoint; nothing is sent yet.
    public func update(_ element: Element) -> Endpoint<Element> {
        context.updateEndpoint(Body(element), id: OperationID(element.id))
    }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Replaces the item with the given id and returns the server's version.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - replacement: the new state of the item.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ id: Element.ID, _ replacement: Element.Replacement) async throws(APIError) -> Element {
        try await endpoints.update(id, replacement).send()
    }
}

extension Resource where Access: Updatable, Element: Entity, Element.Replacement == Element {
    /// Replaces an item and returns the server's version; the argument is left unchanged.
    ///
    /// - Parameter element: the new state of the item, including its id.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ element: Element) async throws(APIError) -> Element {
        try await endpoints.update(element).send()
    }
}

// Patching: PATCH on one item.
extension Resource.Endpoints where Access: Patchable, Element: Entity {
    /// Returns a PATCH request with changes, sent as a JSON merge patch (RFC 7396) by default.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - changes: the members to change.
    /// - Returns: the endpoint; nothing is sent yet.
    public func patch(_ id: Element.ID, _ changes: Element.Patch) -> Endpoint<Element> {
        context.patchEndpoint(changes, id: OperationID(id))
    }

    /// Returns a PATCH request with the difference between two states of an item; nil if they are equal.
    ///
    /// By default, the difference is a JSON merge patch (RFC 7396): members missing from the new state are sent as
    /// `null`, objects are compared member by member, and arrays are compared as a whole. For other formats, see
    /// ``Body/Differences`` and ``PatchDifferencing``.
    ///
    /// - Parameters:
    ///   - old: the current state on the server.
    ///   - new: the desired state.
    /// - Returns: the endpoint; nil if nothing has changed. Nothing is sent yet.
    /// - Throws: ``APIError/request(_:)`` if the states have different ids or cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try context.differenceEndpoint(from: old, to: new, id: (OperationID(old.id), OperationID(new.id)))
    }
}

extension Resource where Access: Patchable, Element: Entity {
    /// Changes an item and returns the server's version.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - changes: the members to change.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ id: Element.ID, _ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(id, changes).send()
    }

    /// Sends the difference between two states of an item and returns the server's version.
    ///
    /// If the states are equal, nothing is sent.
    ///
    /// - Parameters:
    ///   - old: the current state on the server.
    ///   - new: the desired state.
    /// - Returns: the server's version of the item; the new state if nothing was sent.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the states have different ids or cannot be encoded.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

// Deleting: DELETE on one item.
extension Resource.Endpoints
where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Returns a DELETE request for the item with the given id.
    ///
    /// - Parameter id: the item's id.
    /// - Returns: the endpoint; nothing is sent yet.
    public func delete(_ id: Element.ID) -> Endpoint<Void> {
        context.endpoint(.delete, .delete, id: OperationID(id), .ignoring)
    }

    /// Returns a DELETE request for an item.
    ///
    /// - Parameter element: the item to delete.
    /// - Returns: the endpoint; nothing is sent yet.
    public func delete(_ element: Element) -> Endpoint<Void> { delete(element.id) }
}

extension Resource where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Deletes the item with the given id.
    ///
    /// - Parameter id: the item's id.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if the server has no such item.
    public func delete(_ id: Element.ID) async throws(APIError) { try await endpoints.delete(id).send() }

    /// Deletes an item.
    ///
    /// - Parameter element: the item to delete.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if the server no longer has the item.
    public func delete(_ element: Element) async throws(APIError) { try await delete(element.id) }
}

// Upserting: PUT on one item, which may not exist yet (RFC 9110, section 9.3.4).
extension Resource.Endpoints where Access: Upsertable, Element: Entity {
    /// Returns a PUT request that creates or replaces the item with the given id; see ``Representation/Replacement``.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - replacement: the new state of the item.
    /// - Returns: the endpoint; nothing is sent yet.
    public func upsert(_ id: Element.ID, _ replacement: Element.Replacement) -> Endpoint<WriteResult.Upserted<Element>>
    {
        context.upsertEndpoint(Body(replacement), id: OperationID(id))
    }
}

extension Resource.Endpoints where Access: Upsertable, Element: Entity, Element.Replacement == Element {
    /// Returns a PUT request with a whole item, which creates or replaces it.
    ///
    /// - Parameter element: the new state of the item, including its id.
    /// - Returns: the endpoint; nothing is sent yet.
    public func upsert(_ element: Element) -> Endpoint<WriteResult.Upserted<Element>> {
        context.upsertEndpoint(Body(element), id: OperationID(element.id))
    }
}

extension Resource where Access: Upsertable, Element: Entity {
    /// Creates or replaces the item with the given id, and returns the server's version.
    ///
    /// To create the item but never replace it, add a condition: `users.with { IfNoneMatch(.any) }.upsert("bo", user)`.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - replacement: the new state of the item.
    /// - Returns: the server's version of the item, and whether it was created or replaced.
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
    /// Creates or replaces an item, and returns the server's version; the argument is left unchanged.
    ///
    /// - Parameter element: the new state of the item, including its id.
    /// - Returns: the server's version of the item, and whether it was created or replaced.
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
        /// The item was created, as indicated by the response status 201.
        case created(Element)
        /// The item was replaced, as indicated by any other success status.
        case replaced(Element)

        /// The server's version of the item.
        public var value: Element {
            switch self {
            case .created(let element), .replaced(let element): element
            }
        }

        /// Whether the item was created.
        public var isCreated: Bool { if case .created = self { true } else { false } }
    }
}

extension WriteResult.Upserted: Equatable where Element: Equatable {}

extension WriteResult.Upserted: Hashable where Element: Hashable {}

// Writes that do not return the entity.
extension Endpoint {
    /// Returns a copy of the endpoint that decodes a value of a different type from the response, such as a receipt.
    ///
    /// ```swift
    /// let deleted = try await shop.products.endpoints.delete(7).returning(Review.self).send()
    /// ```
    ///
    /// ``WriteResult`` does not apply to the copy.
    ///
    /// - Parameter type: the type of the value.
    /// - Returns: the endpoint for the new type.
    public func returning<Other: Decodable & Sendable>(_ type: Other.Type) -> Endpoint<Other> { reading(.decoding()) }

    /// Returns a copy of the endpoint that ignores the response body.
    ///
    /// ```swift
    /// try await shop.products.endpoints.create(draft).returning(Void.self).send()
    /// ```
    ///
    /// ``WriteResult`` does not apply to the copy. A batch still throws ``APIError/items(_:)`` if the server reports
    /// that an item failed.
    ///
    /// - Parameter type: `Void`.
    /// - Returns: the endpoint that ignores the response body.
    public func returning(_ type: Void.Type) -> Endpoint<Void> {
        if case .batch(let count) = target.write { reading(.batchIgnoring(count: count)) } else { reading(.ignoring) }
    }

    private func reading<Other>(_ reader: ValueReader<Other>) -> Endpoint<Other> {
        var target = target
        target.write = nil
        return Endpoint<Other>(client: client, scopes: scopes, target: target, reader: reader)
    }
}
