// Writes whose response is something other than the entity, or nothing.
extension Singleton.Endpoints where Access: Creatable, Element: Representation {
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

extension Singleton where Access: Creatable, Element: Representation {
    /// Creates it and returns another value than the entity, such as a receipt.
    ///
    /// - Throws: ``APIError``.
    public func create<Value: Decodable & Sendable>(
        _ draft: Element.Draft,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.create(draft, returning: type).send()
    }

    /// Creates the singleton, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func create(_ draft: Element.Draft, returning type: Void.Type) async throws(APIError) {
        try await endpoints.create(draft, returning: type).send()
    }
}

extension Singleton.Endpoints where Access: Updatable, Element: Representation {
    /// Returns a PUT of the replacement whose response is another value than the entity.
    public func update<Value: Decodable & Sendable>(
        _ replacement: Element.Replacement,
        returning type: Value.Type
    ) -> Endpoint<Value> {
        context.endpoint(.update, .put, body: Body(replacement), .decoding())
    }

    /// Returns a PUT of the replacement; the body of the response does not matter.
    public func update(_ replacement: Element.Replacement, returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.update, .put, body: Body(replacement), .ignoring)
    }
}

extension Singleton where Access: Updatable, Element: Representation {
    /// Replaces it and returns another value than the entity.
    ///
    /// - Throws: ``APIError``.
    public func update<Value: Decodable & Sendable>(
        _ replacement: Element.Replacement,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.update(replacement, returning: type).send()
    }

    /// Replaces the singleton, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func update(_ replacement: Element.Replacement, returning type: Void.Type) async throws(APIError) {
        try await endpoints.update(replacement, returning: type).send()
    }
}

extension Singleton.Endpoints where Access: Patchable, Element: Representation {
    /// Returns a PATCH with changes whose response is another value than the entity.
    public func patch<Value: Decodable & Sendable>(
        _ changes: Element.Patch,
        returning type: Value.Type
    ) -> Endpoint<Value> {
        context.endpoint(.patch, .patch, body: Body(.changes(changes)), .decoding())
    }

    /// Returns a PATCH with changes; the body of the response does not matter.
    public func patch(_ changes: Element.Patch, returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.patch, .patch, body: Body(.changes(changes)), .ignoring)
    }
}

extension Singleton where Access: Patchable, Element: Representation {
    /// Changes it and returns another value than the entity.
    ///
    /// - Throws: ``APIError``.
    public func patch<Value: Decodable & Sendable>(
        _ changes: Element.Patch,
        returning type: Value.Type
    ) async throws(APIError) -> Value {
        try await endpoints.patch(changes, returning: type).send()
    }

    /// Changes the singleton, and ignores the body of the response.
    ///
    /// - Throws: ``APIError``.
    public func patch(_ changes: Element.Patch, returning type: Void.Type) async throws(APIError) {
        try await endpoints.patch(changes, returning: type).send()
    }
}
