import Waybill
import WaybillSystem

// Bulk writes in several transactions, so that other writes can run in between. Reads never wait.

extension StoredCollection where Access: Creatable, Element.ID: TemporaryIdentifier {
    /// Creates many items with temporary ids, in transactions of 200.
    ///
    /// - Parameters:
    ///   - drafts: the contents of the new items.
    ///   - progress: called after each transaction with the number of durable items and the total.
    /// - Returns: the items with their temporary ids, already durable.
    /// - Throws: ``StoreError``; ``StoreError/cancelled`` if the task is cancelled. Completed transactions are kept.
    @discardableResult
    public nonisolated(nonsending) func create(
        _ drafts: [Element.Draft],
        progress: nonisolated(nonsending) (_ done: Int, _ total: Int) async -> Void = { _, _ in }
    ) async throws(StoreError) -> [Element] {
        let number = try await context.number(in: core)
        let context = context
        var elements: [Element] = []
        for start in stride(from: 0, to: drafts.count, by: Self.transactionSize) {
            var contents: [JSONValue] = []
            for draft in drafts[start..<min(start + Self.transactionSize, drafts.count)] {
                contents.append(try context.document(of: draft, for: .create))
            }
            let transaction = contents
            elements += try await core.write { (store) throws(StoreError) -> [Element] in
                try transaction.map { (content) throws(StoreError) in
                    try context.create(content, in: number, store)
                }
            }
            try await finishTransaction(elements.count, of: drafts.count, progress)
        }
        return elements
    }
}

extension StoredCollection where Access: Patchable {
    /// Changes the items of a query, in transactions of 200, and sends the changes as PATCH requests.
    ///
    /// ```swift
    /// let expensive = products.filter { $0.price > 100 }
    /// try await products.patchAll(of: expensive) { $0.price -= 10 } progress: { print($0, "of", $1) }
    /// ```
    ///
    /// Rows that no longer match the query when they are processed are left unchanged.
    ///
    /// - Parameters:
    ///   - query: the rows to change; nil for all rows.
    ///   - change: modifies an item. It is called on one of the store's threads, inside the transaction.
    ///   - progress: called after each transaction with the number of processed rows and the total.
    /// - Returns: the number of rows that still matched when they were processed.
    /// - Throws: ``StoreError``; ``StoreError/cancelled`` if the task is cancelled. Completed transactions are kept.
    @discardableResult
    public nonisolated(nonsending) func patchAll(
        of query: StoredQuery<Element>? = nil,
        _ change: @escaping @Sendable (inout Element) -> Void,
        progress: nonisolated(nonsending) (_ done: Int, _ total: Int) async -> Void = { _, _ in }
    ) async throws(StoreError) -> Int {
        let context = context
        return try await forEach(query, progress) { (store, row) throws(StoreError) in
            _ = try context.edit(&row, .patch, store) { (item) in
                var item = item
                change(&item)
                return item
            }
        }
    }
}

extension StoredCollection where Access: Deletable {
    /// Deletes the items of a query, in transactions of 200.
    ///
    /// Rows that no longer match the query when they are processed are left unchanged.
    ///
    /// - Parameters:
    ///   - query: the rows to delete.
    ///   - progress: called after each transaction with the number of processed rows and the total.
    /// - Returns: the number of deleted rows.
    /// - Throws: ``StoreError``; ``StoreError/cancelled`` if the task is cancelled. Completed transactions are kept.
    @discardableResult
    public nonisolated(nonsending) func deleteAll(
        of query: StoredQuery<Element>,
        progress: nonisolated(nonsending) (_ done: Int, _ total: Int) async -> Void = { _, _ in }
    ) async throws(StoreError) -> Int {
        try await forEach(query, progress) { (store, row) throws(StoreError) in
            try store.add(.delete, .null, to: &row)
        }
    }
}

extension StoredCollection {
    /// The number of rows in a transaction.
    private static var transactionSize: Int { 200 }

    /// Performs a write for each row that still matches a query, in several transactions.
    private nonisolated(nonsending) func forEach(
        _ query: StoredQuery<Element>?,
        _ progress: nonisolated(nonsending) (_ done: Int, _ total: Int) async -> Void,
        _ body: @escaping @Sendable (StoreWrite, inout StoredRow) throws(StoreError) -> Void
    ) async throws(StoreError) -> Int {
        let (context, core, query) = (context, core, query ?? self.query)
        let rows = try await query.snapshot().items.prefix(query.count ?? .max).map(\.row)
        var count = 0
        for start in stride(from: 0, to: rows.count, by: Self.transactionSize) {
            let numbers = Array(rows[start..<min(start + Self.transactionSize, rows.count)])
            count += try await core.write { (store) throws(StoreError) -> Int in
                var count = 0
                for number in numbers {
                    guard var row = try store.connection.row(number), !row.isDeleted,
                        let item = try? context.coding.item(row.document), query.isIncluded(item)
                    else { continue }
                    try body(store, &row)
                    count += 1
                }
                return count
            }
            try await finishTransaction(min(start + Self.transactionSize, rows.count), of: rows.count, progress)
        }
        return count
    }

    private nonisolated(nonsending) func finishTransaction(
        _ done: Int,
        of total: Int,
        _ progress: nonisolated(nonsending) (_ done: Int, _ total: Int) async -> Void
    ) async throws(StoreError) {
        await wakeSender()
        await progress(done, total)
        if done < total, Task.isCancelled { throw .cancelled }
        await Task.yield()
    }
}
