extension Singleton.Endpoints where Access: Readable, Element: Decodable {
    /// GET.
    public func read() -> Endpoint<Element> { site.endpoint(.read, .get, .decoding()) }
}

extension Singleton where Access: Readable, Element: Decodable {
    /// Fetches it.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` where the server has none.
    public func read() async throws(APIError) -> Element { try await endpoints.read().send() }
}

extension Singleton.Endpoints where Access: Creatable, Element: Representation {
    /// POST of a draft.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        site.endpoint(.create, .post, body: Body(draft), .merging())
    }
}

extension Singleton where Access: Creatable, Element: Representation {
    /// Creates it and returns what the server made of it.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

extension Singleton.Endpoints where Access: Updatable, Element: Representation {
    /// PUT of the whole.
    public func update(_ element: Element) -> Endpoint<Element> {
        site.endpoint(.update, .put, body: Body(element), .merging())
    }
}

extension Singleton where Access: Updatable, Element: Representation {
    /// Replaces it and returns what the server made of it.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ element: Element) async throws(APIError) -> Element {
        try await endpoints.update(element).send()
    }
}

extension Singleton.Endpoints where Access: Patchable, Element: Representation {
    /// PATCH with changes, as a JSON merge patch (RFC 7396).
    public func patch(_ changes: Element.Patch) -> Endpoint<Element> {
        site.endpoint(.patch, .patch, body: Body(.mergePatch(changes)), .merging())
    }

    /// PATCH with the difference between two states, as a JSON merge patch (RFC 7396); nil where there is none.
    ///
    /// - Throws: ``APIError/request(_:)`` where one of the two cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try site.patchEndpoint(from: old, to: new, id: nil)
    }
}

extension Singleton where Access: Patchable, Element: Representation {
    /// Changes it and returns what the server made of it.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(changes).send()
    }

    /// Sends the difference between two states and returns what the server made of it; where there is no difference
    /// nothing is sent, and the new state is returned.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

extension Singleton.Endpoints where Access: Deletable {
    /// DELETE.
    public func delete() -> Endpoint<Void> { site.endpoint(.delete, .delete, .ignoring) }
}

extension Singleton where Access: Deletable {
    /// Deletes it.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` where the server has none.
    public func delete() async throws(APIError) { try await endpoints.delete().send() }
}
