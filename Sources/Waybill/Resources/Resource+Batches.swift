// Batch creation: POST of an array to the collection.
extension Resource.Endpoints where Access: BatchCreatable, Element: Representation {
    /// Returns a POST request with an array of drafts.
    ///
    /// If ``WriteResult/ItemProblem`` is declared and an item fails, the call throws ``APIError/items(_:)``.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the endpoint; nothing is sent yet.
    public func create(_ drafts: [Element.Draft]) -> Endpoint<[Element]> {
        context.batch(.createBatch, Body(drafts), count: drafts.count) { .batch(count: $0) }
    }

    /// Returns a POST request with an array of drafts that yields a result for each; see ``WriteResult/ItemProblem``.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the endpoint; nothing is sent yet.
    public func create(each drafts: [Element.Draft]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.batch(.createBatch, Body(drafts), count: drafts.count) { .outcomes(count: $0) }
    }
}

extension Resource where Access: BatchCreatable, Element: Representation {
    /// Creates several items in one request and returns the server's versions.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the server's versions, in the order of the drafts.
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports that an item failed.
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] {
        try await endpoints.create(drafts).send()
    }

    /// Creates several items in one request and returns a result for each.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the results, in the order of the drafts.
    /// - Throws: ``APIError`` if the request as a whole fails.
    public func create(
        each drafts: [Element.Draft]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.create(each: drafts).send()
    }
}

// Batch updates: PATCH of an array on the collection.
extension Resource.Endpoints where Access: BatchUpdatable, Element: Representation {
    /// Returns a PATCH request with an array of items.
    ///
    /// If ``WriteResult/ItemProblem`` is declared and an item fails, the call throws ``APIError/items(_:)``.
    ///
    /// - Parameter elements: the items, including their ids.
    /// - Returns: the endpoint; nothing is sent yet.
    public func update(_ elements: [Element]) -> Endpoint<[Element]> {
        context.batch(.updateBatch, Body(elements), count: elements.count) { .batch(count: $0) }
    }

    /// Returns a PATCH request with an array of items that yields a result for each; see ``WriteResult/ItemProblem``.
    ///
    /// - Parameter elements: the items, including their ids.
    /// - Returns: the endpoint; nothing is sent yet.
    public func update(each elements: [Element]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.batch(.updateBatch, Body(elements), count: elements.count) { .outcomes(count: $0) }
    }
}

extension Resource where Access: BatchUpdatable, Element: Representation {
    /// Updates several items in one request and returns the server's versions.
    ///
    /// - Parameter elements: the items, including their ids.
    /// - Returns: the server's versions, in the order of the items.
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports that an item failed.
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] {
        try await endpoints.update(elements).send()
    }

    /// Updates several items in one request and returns a result for each.
    ///
    /// - Parameter elements: the items, including their ids.
    /// - Returns: the results, in the order of the items.
    /// - Throws: ``APIError`` if the request as a whole fails.
    public func update(
        each elements: [Element]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.update(each: elements).send()
    }
}

extension ResourceContext {
    /// Returns a batch request with a reader that expects the given number of items.
    package func batch<Value: Sendable>(
        _ operation: On.Operation,
        _ body: Body,
        count: Int,
        reader: (Int) -> ValueReader<Value>
    ) -> Endpoint<Value> {
        endpoint(
            operation,
            operation == .createBatch ? .post : .patch,
            body: body,
            write: .batch(count: count),
            reader(count)
        )
    }
}

// Unavailable overloads, so that the compiler names the missing capability.
extension Resource where Access: Creatable, Element: Representation {
    /// Does not compile: creating several items at once requires ``BatchCreatable``.
    ///
    /// - Parameter drafts: the drafts of the new items.
    /// - Returns: the server's versions, in the order of the drafts.
    /// - Throws: `APIError`.
    @available(
        *,
        unavailable,
        message: "create([…]) needs the capability BatchCreatable: enum Bulk: Listable, BatchCreatable {}"
    )
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] { [] }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Does not compile: updating several items at once requires ``BatchUpdatable``.
    ///
    /// - Parameter elements: the items with their new values.
    /// - Returns: the server's versions, in the order of the items.
    /// - Throws: `APIError`.
    @available(
        *,
        unavailable,
        message: "update([…]) needs the capability BatchUpdatable: enum Bulk: Listable, BatchUpdatable {}"
    )
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] { [] }
}
