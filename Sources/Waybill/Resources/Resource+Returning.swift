// Writes whose response is something other than the entity, or nothing.
extension Resource.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST of a draft whose response is another value than the entity.
    public func create<Value: Decodable & Sendable>(
        _ draft: Element.Draft,
        returning type: Value.Type
    ) -> Endpoint<Value> {
        context.endpoint(.create, .post, body: Body(draft), .decoding())
    }

    /// Returns a POST of a draft; the body of the response does not matter.
    public func create(_ draft: Element.Draft, returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.create, .post, body: Body(draft), .ignoring)
    }
}

extension Resource where Access: Creatable, Element: Representation {
    /// Creates an item and returns another value than the entity, such as a receipt.
    ///
    /// - Throws: ``APIError``.
    public func create<Value: Decodable & Sendable>(
        _ draft: Element.Draft,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.create(draft, returning: type).send()
    }

    /// Creates an item, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func create(_ draft: Element.Draft, returning type: Void.Type) async throws(APIError) {
        try await endpoints.create(draft, returning: type).send()
    }
}

extension Resource.Endpoints where Access: Updatable, Element: Entity {
    /// Returns a PUT of an item's replacement whose response is another value than the entity.
    public func update<Value: Decodable & Sendable>(
        _ id: Element.ID,
        _ replacement: Element.Replacement,
        returning type: Value.Type
    ) -> Endpoint<Value> {
        context.endpoint(.update, .put, id: OperationID(id), body: Body(replacement), .decoding())
    }

    /// Returns a PUT of an item's replacement; the body of the response does not matter.
    public func update(
        _ id: Element.ID,
        _ replacement: Element.Replacement,
        returning type: Void.Type
    ) -> Endpoint<Void> {
        context.endpoint(.update, .put, id: OperationID(id), body: Body(replacement), .ignoring)
    }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Replaces an item and returns another value than the entity.
    ///
    /// - Throws: ``APIError``.
    public func update<Value: Decodable & Sendable>(
        _ id: Element.ID,
        _ replacement: Element.Replacement,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.update(id, replacement, returning: type).send()
    }

    /// Replaces an item, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func update(
        _ id: Element.ID,
        _ replacement: Element.Replacement,
        returning type: Void.Type
    ) async throws(APIError) {
        try await endpoints.update(id, replacement, returning: type).send()
    }
}

extension Resource where Access: Updatable, Element: Entity, Element.Replacement == Element {
    /// Replaces an item, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func update(_ element: Element, returning type: Void.Type) async throws(APIError) {
        try await endpoints.update(element.id, element, returning: type).send()
    }
}

extension Resource.Endpoints where Access: Patchable, Element: Entity {
    /// Returns a PATCH with changes whose response is another value than the entity.
    public func patch<Value: Decodable & Sendable>(
        _ id: Element.ID,
        _ changes: Element.Patch,
        returning type: Value.Type
    ) -> Endpoint<Value> {
        context.endpoint(.patch, .patch, id: OperationID(id), body: Body(.changes(changes)), .decoding())
    }

    /// Returns a PATCH with changes; the body of the response does not matter.
    public func patch(_ id: Element.ID, _ changes: Element.Patch, returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.patch, .patch, id: OperationID(id), body: Body(.changes(changes)), .ignoring)
    }
}

extension Resource where Access: Patchable, Element: Entity {
    /// Changes an item and returns another value than the entity.
    ///
    /// - Throws: ``APIError``.
    public func patch<Value: Decodable & Sendable>(
        _ id: Element.ID,
        _ changes: Element.Patch,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.patch(id, changes, returning: type).send()
    }

    /// Changes an item, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func patch(
        _ id: Element.ID,
        _ changes: Element.Patch,
        returning type: Void.Type
    ) async throws(APIError) {
        try await endpoints.patch(id, changes, returning: type).send()
    }
}

extension Resource.Endpoints
where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Returns a DELETE of the item with an id whose response is a value, such as the deleted entity.
    public func delete<Value: Decodable & Sendable>(_ id: Element.ID, returning type: Value.Type) -> Endpoint<Value> {
        context.endpoint(.delete, .delete, id: OperationID(id), .decoding())
    }
}

extension Resource
where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Deletes the item with an id and returns a value of the response, such as the entity that was deleted.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func delete<Value: Decodable & Sendable>(
        _ id: Element.ID,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.delete(id, returning: type).send()
    }
}
