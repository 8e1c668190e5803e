// Creating several: POST of an array to the collection.
extension Resource.Endpoints where Access: BatchCreatable, Element: Representation {
    /// POST of an array of drafts; where the server reports failures per item, one makes it an ``ItemsFailure``.
    public func create(_ drafts: [Element.Draft]) -> Endpoint<[Element]> {
        site.endpoint(.createBatch, .post, body: Body(drafts), .batch())
    }

    /// POST of an array of drafts, each item's result by itself; see ``BatchProblem``.
    public func create(each drafts: [Element.Draft]) -> Endpoint<[Result<Element, ItemsFailure.Item>]> {
        site.endpoint(.createBatch, .post, body: Body(drafts), .outcomes())
    }
}

extension Resource where Access: BatchCreatable, Element: Representation {
    /// Creates several items in one request and returns what the server made of them, in order.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` where the server reports failures per item and there is one.
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] {
        try await endpoints.create(drafts).send()
    }

    /// Creates several items in one request and returns each one's result, in order.
    ///
    /// - Throws: ``APIError`` where the request as a whole failed.
    public func create(
        each drafts: [Element.Draft]
    ) async throws(APIError) -> [Result<Element, ItemsFailure.Item>] {
        try await endpoints.create(each: drafts).send()
    }
}

// Updating several: PATCH of an array on the collection.
extension Resource.Endpoints where Access: BatchUpdatable, Element: Representation {
    /// PATCH of an array of items; where the server reports failures per item, one makes it an ``ItemsFailure``.
    public func update(_ elements: [Element]) -> Endpoint<[Element]> {
        site.endpoint(.updateBatch, .patch, body: Body(elements), .batch())
    }

    /// PATCH of an array of items, each item's result by itself; see ``BatchProblem``.
    public func update(each elements: [Element]) -> Endpoint<[Result<Element, ItemsFailure.Item>]> {
        site.endpoint(.updateBatch, .patch, body: Body(elements), .outcomes())
    }
}

extension Resource where Access: BatchUpdatable, Element: Representation {
    /// Updates several items in one request and returns what the server made of them, in order.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` where the server reports failures per item and there is one.
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] {
        try await endpoints.update(elements).send()
    }

    /// Updates several items in one request and returns each one's result, in order.
    ///
    /// - Throws: ``APIError`` where the request as a whole failed.
    public func update(
        each elements: [Element]
    ) async throws(APIError) -> [Result<Element, ItemsFailure.Item>] {
        try await endpoints.update(each: elements).send()
    }
}
