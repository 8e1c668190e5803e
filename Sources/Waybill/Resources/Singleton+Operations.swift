extension Singleton.Endpoints where Access: Readable, Element: Decodable {
    /// Returns a GET.
    public func read() -> Endpoint<Element> { context.endpoint(.read, .get, .decoding()) }
}

extension Singleton where Access: Readable, Element: Decodable {
    /// Fetches the singleton.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func read() async throws(APIError) -> Element { try await endpoints.read().send() }
}

extension Singleton.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST of a draft.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        context.createEndpoint(draft)
    }
}

extension Singleton where Access: Creatable, Element: Representation {
    /// Creates the singleton and returns the server's version.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

extension Singleton.Endpoints where Access: Updatable, Element: Representation {
    /// Returns a PUT of the replacement: the whole, unless a ``Representation/Replacement`` is declared.
    public func update(_ replacement: Element.Replacement) -> Endpoint<Element> {
        context.updateEndpoint(Body(replacement), id: nil)
    }
}

extension Singleton where Access: Updatable, Element: Representation {
    /// Replaces the singleton and returns the server's version.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ replacement: Element.Replacement) async throws(APIError) -> Element {
        try await endpoints.update(replacement).send()
    }
}

extension Singleton.Endpoints where Access: Patchable, Element: Representation {
    /// Returns a PATCH with changes, as a JSON merge patch (RFC 7396).
    public func patch(_ changes: Element.Patch) -> Endpoint<Element> {
        context.patchEndpoint(changes, id: nil)
    }

    /// Returns a PATCH with the difference between two states, as a JSON merge patch (RFC 7396); nil if they are equal.
    ///
    /// - Throws: ``APIError/request(_:)`` if one of the two cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try context.differenceEndpoint(from: old, to: new, id: nil)
    }
}

extension Singleton where Access: Patchable, Element: Representation {
    /// Changes the singleton and returns the server's version.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(changes).send()
    }

    /// Sends the difference between two states and returns the server's version; if there is no difference, nothing is
    /// sent, and the new state is returned.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

extension Singleton.Endpoints where Access: Deletable {
    /// Returns a DELETE.
    public func delete() -> Endpoint<Void> { context.endpoint(.delete, .delete, .ignoring) }
}

extension Singleton where Access: Deletable {
    /// Deletes the singleton.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func delete() async throws(APIError) { try await endpoints.delete().send() }
}
