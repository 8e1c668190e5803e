// Creating several: POST of an array to the collection.
extension Resource.Endpoints where Access: BatchCreatable, Element: Representation {
    /// Returns a POST of an array of drafts; if the server reports failures per item, one makes it an
    /// ``APIError/ItemsFailure``.
    public func create(_ drafts: [Element.Draft]) -> Endpoint<[Element]> {
        context.endpoint(.createBatch, .post, body: Body(drafts), write: .batch, .batch(count: drafts.count))
    }

    /// Returns a POST of an array of drafts, with each item's result by itself; see ``WriteResult/ItemProblem``.
    public func create(each drafts: [Element.Draft]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.endpoint(.createBatch, .post, body: Body(drafts), write: .batch, .outcomes(count: drafts.count))
    }
}

extension Resource where Access: BatchCreatable, Element: Representation {
    /// Creates several items in one request and returns the server's versions, in order.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] {
        try await endpoints.create(drafts).send()
    }

    /// Creates several items in one request and returns each one's result, in order.
    ///
    /// - Throws: ``APIError`` if the request as a whole failed.
    public func create(
        each drafts: [Element.Draft]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.create(each: drafts).send()
    }
}

extension Resource.Endpoints where Access: BatchCreatable, Element: Representation {
    /// Returns a POST of an array of drafts; of the body of the response only failures per item matter.
    public func create(_ drafts: [Element.Draft], returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.createBatch, .post, body: Body(drafts), .batchIgnoring(count: drafts.count))
    }
}

extension Resource where Access: BatchCreatable, Element: Representation {
    /// Creates several items in one request, and ignores the response's values.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    public func create(_ drafts: [Element.Draft], returning type: Void.Type) async throws(APIError) {
        try await endpoints.create(drafts, returning: type).send()
    }
}

// Updating several: PATCH of an array on the collection.
extension Resource.Endpoints where Access: BatchUpdatable, Element: Representation {
    /// Returns a PATCH of an array of items; if the server reports failures per item, one makes it an
    /// ``APIError/ItemsFailure``.
    public func update(_ elements: [Element]) -> Endpoint<[Element]> {
        context.endpoint(.updateBatch, .patch, body: Body(elements), write: .batch, .batch(count: elements.count))
    }

    /// Returns a PATCH of an array of items, with each item's result by itself; see ``WriteResult/ItemProblem``.
    public func update(each elements: [Element]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.endpoint(.updateBatch, .patch, body: Body(elements), write: .batch, .outcomes(count: elements.count))
    }
}

extension Resource where Access: BatchUpdatable, Element: Representation {
    /// Updates several items in one request and returns the server's versions, in order.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] {
        try await endpoints.update(elements).send()
    }

    /// Updates several items in one request and returns each one's result, in order.
    ///
    /// - Throws: ``APIError`` if the request as a whole failed.
    public func update(
        each elements: [Element]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.update(each: elements).send()
    }
}

extension Resource.Endpoints where Access: BatchUpdatable, Element: Representation {
    /// Returns a PATCH of an array of items; of the body of the response only failures per item matter.
    public func update(_ elements: [Element], returning type: Void.Type) -> Endpoint<Void> {
        context.endpoint(.updateBatch, .patch, body: Body(elements), .batchIgnoring(count: elements.count))
    }
}

extension Resource where Access: BatchUpdatable, Element: Representation {
    /// Updates several items in one request, and ignores the response's values.
    ///
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    public func update(_ elements: [Element], returning type: Void.Type) async throws(APIError) {
        try await endpoints.update(elements, returning: type).send()
    }
}
