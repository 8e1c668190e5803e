// Creating or replacing: PUT on one that may not be there yet (RFC 9110, section 9.3.4).
extension Resource.Endpoints where Access: Upsertable, Element: Entity {
    /// Returns a PUT of an item under an id, which creates or replaces it; see ``Representation/Replacement``.
    public func upsert(_ id: Element.ID, _ replacement: Element.Replacement) -> Endpoint<WriteResult.Upserted<Element>> {
        context.upsertEndpoint(Body(replacement), id: OperationID(id))
    }
}

extension Resource.Endpoints where Access: Upsertable, Element: Entity, Element.Replacement == Element {
    /// Returns a PUT of the whole item, which creates or replaces it.
    public func upsert(_ element: Element) -> Endpoint<WriteResult.Upserted<Element>> {
        context.upsertEndpoint(Body(element), id: OperationID(element.id))
    }
}

extension Resource where Access: Upsertable, Element: Entity {
    /// Creates the item with an id, or replaces it, and returns the server's version with what has happened.
    ///
    /// With the condition `IfNoneMatch(.any)` it only creates: `users.with { IfNoneMatch(.any) }.upsert("bo", user)`.
    ///
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

extension ResourceContext {
    /// Returns a PUT of a state under an id.
    fileprivate func upsertEndpoint<Element: Representation>(
        _ state: Body,
        id: OperationID
    ) -> Endpoint<WriteResult.Upserted<Element>> {
        endpoint(.upsert, .put, id: id, body: state, write: .state, .upserting(.merging())) {
            (reply, _) throws(APIError) in
            // The response to the GET does not say whether the item is new.
            let reader = ValueReader<WriteResult.Upserted<Element>>.upserting(.decoding(), status: reply.status)
            return self.with(appending: .afterWrite).endpoint(.read, .get, id: id, reader)
        }
    }
}

extension ValueReader {
    /// Returns a reader of an item that a status tells to be new; by default the status of the reply.
    fileprivate static func upserting<Element>(
        _ reader: ValueReader<Element>,
        status: HTTPResponse.Status? = nil
    ) -> Self where Value == WriteResult.Upserted<Element> {
        Self { (reply, plan, extras) throws(APIError) in
            let reading = try reader.read(reply, plan, extras)
            let isCreated = (status ?? reply.status).code == 201
            return Reading(
                response: reading.response.map { isCreated ? .created($0) : .replaced($0) },
                extras: reading.extras
            )
        }
    }
}
