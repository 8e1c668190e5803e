// Creating several: POST of an array to the collection.
extension Resource.Endpoints where Access: BatchCreatable, Element: Representation {
    /// Returns a POST of an array of drafts; if the server reports failures per item, one makes it an
    /// ``APIError/ItemsFailure``.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the call, not sent yet.
    public func create(_ drafts: [Element.Draft]) -> Endpoint<[Element]> {
        context.batch(.createBatch, Body(drafts), count: drafts.count) { .batch(count: $0) }
    }

    /// Returns a POST of an array of drafts, with each item's result by itself; see ``WriteResult/ItemProblem``.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the call, not sent yet.
    public func create(each drafts: [Element.Draft]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.batch(.createBatch, Body(drafts), count: drafts.count) { .outcomes(count: $0) }
    }
}

extension Resource where Access: BatchCreatable, Element: Representation {
    /// Creates several items in one request and returns the server's versions, in order.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the server's versions, in order.
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] {
        try await endpoints.create(drafts).send()
    }

    /// Creates several items in one request and returns each one's result, in order.
    ///
    /// - Parameter drafts: the drafts, in the order in which they are sent.
    /// - Returns: the result of each item, in order.
    /// - Throws: ``APIError`` if the request as a whole failed.
    public func create(
        each drafts: [Element.Draft]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.create(each: drafts).send()
    }
}

// Updating several: PATCH of an array on the collection.
extension Resource.Endpoints where Access: BatchUpdatable, Element: Representation {
    /// Returns a PATCH of an array of items; if the server reports failures per item, one makes it an
    /// ``APIError/ItemsFailure``.
    ///
    /// - Parameter elements: the items, with their ids.
    /// - Returns: the call, not sent yet.
    public func update(_ elements: [Element]) -> Endpoint<[Element]> {
        context.batch(.updateBatch, Body(elements), count: elements.count) { .batch(count: $0) }
    }

    /// Returns a PATCH of an array of items, with each item's result by itself; see ``WriteResult/ItemProblem``.
    ///
    /// - Parameter elements: the items, with their ids.
    /// - Returns: the call, not sent yet.
    public func update(each elements: [Element]) -> Endpoint<[Result<Element, APIError.ItemsFailure.Item>]> {
        context.batch(.updateBatch, Body(elements), count: elements.count) { .outcomes(count: $0) }
    }
}

extension Resource where Access: BatchUpdatable, Element: Representation {
    /// Updates several items in one request and returns the server's versions, in order.
    ///
    /// - Parameter elements: the items, with their ids.
    /// - Returns: the server's versions, in order.
    /// - Throws: ``APIError``; ``APIError/items(_:)`` if the server reports a failure of an item.
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] {
        try await endpoints.update(elements).send()
    }

    /// Updates several items in one request and returns each one's result, in order.
    ///
    /// - Parameter elements: the items, with their ids.
    /// - Returns: the result of each item, in order.
    /// - Throws: ``APIError`` if the request as a whole failed.
    public func update(
        each elements: [Element]
    ) async throws(APIError) -> [Result<Element, APIError.ItemsFailure.Item>] {
        try await endpoints.update(each: elements).send()
    }
}

extension ResourceContext {
    /// Returns a write of several items in one request, with the reader for their number.
    func batch<Value: Sendable>(
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

// Operations on several items that a resource's capabilities lack. They do not compile, and the message names the
// capability.
extension Resource where Access: Creatable, Element: Representation {
    /// Does not compile: creating several at once needs ``BatchCreatable``.
    @available(
        *,
        unavailable,
        message: "create([…]) needs the capability BatchCreatable: enum Bulk: Listable, BatchCreatable {}"
    )
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] { [] }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Does not compile: updating several at once needs ``BatchUpdatable``.
    @available(
        *,
        unavailable,
        message: "update([…]) needs the capability BatchUpdatable: enum Bulk: Listable, BatchUpdatable {}"
    )
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] { [] }
}
