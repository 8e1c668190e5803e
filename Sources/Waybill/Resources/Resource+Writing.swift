// Creating: POST on the collection.
extension Resource.Endpoints where Access: Creatable, Element: Representation {
    /// POST of a draft to the collection.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        site.endpoint(.create, .post, body: Body(draft), .merging())
    }
}

extension Resource where Access: Creatable, Element: Representation {
    /// Creates an item and returns what the server made of it.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

// Updating: PUT on one.
extension Resource.Endpoints where Access: Updatable, Element: Entity {
    /// PUT of the whole item.
    public func update(_ element: Element) -> Endpoint<Element> {
        site.endpoint(.update, .put, id: element.id.pathSegment, body: Body(element), .merging())
    }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Replaces an item and returns what the server made of it; the one given stays as it is.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ element: Element) async throws(APIError) -> Element {
        try await endpoints.update(element).send()
    }
}

// Patching: PATCH on one.
extension Resource.Endpoints where Access: Patchable, Element: Entity {
    /// PATCH with changes, as a JSON merge patch (RFC 7396).
    public func patch(_ id: Element.ID, _ changes: Element.Patch) -> Endpoint<Element> {
        site.endpoint(.patch, .patch, id: id.pathSegment, body: Body(.mergePatch(changes)), .merging())
    }

    /// PATCH with the difference between two states of an item, as a JSON merge patch (RFC 7396); nil where there is
    /// none.
    ///
    /// A field that the new state leaves out is removed by `null`; objects are compared field by field, arrays whole.
    ///
    /// - Throws: ``APIError/request(_:)`` where the two have different ids, or cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try site.patchEndpoint(from: old, to: new, id: (old.id.pathSegment, new.id.pathSegment))
    }
}

extension Resource where Access: Patchable, Element: Entity {
    /// Changes an item and returns what the server made of it.
    ///
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ id: Element.ID, _ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(id, changes).send()
    }

    /// Sends the difference between two states of an item, and returns what the server made of it; where there is no
    /// difference nothing is sent, and the new state is returned.
    ///
    /// - Throws: ``APIError``; ``APIError/request(_:)`` where the two have different ids.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

// Deleting: DELETE on one.
extension Resource.Endpoints where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible {
    /// DELETE on the item with an id.
    public func delete(_ id: Element.ID) -> Endpoint<Void> {
        site.endpoint(.delete, .delete, id: id.pathSegment, .ignoring)
    }
}

extension Resource where Access: Deletable, Element: Identifiable, Element.ID: PathSegmentConvertible {
    /// Deletes the item with an id.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` where the server has none.
    public func delete(_ id: Element.ID) async throws(APIError) { try await endpoints.delete(id).send() }
}
