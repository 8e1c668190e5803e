import Waybill
import WaybillSystem

// Reading a query, decoding no more rows than needed.
extension StoredQuery {
    /// The rows of a query as of a commit.
    struct Snapshot: Sendable {
        let items: [Item]
        let commit: Int64

        /// Whether the query is limited and its rows can be read in order, so that only a window of them is read.
        let isWindowed: Bool

        /// Whether these are all rows of the query.
        ///
        /// If not, the missing rows come after them.
        let isComplete: Bool
    }

    /// The items found, and the numbers of their rows.
    private struct Found {
        var elements: [Element] = []
        var rows: [Int64] = []
        var isComplete = true

        var items: [Item] { zip(rows, elements).map { Item(row: $0, element: $1) } }
    }

    /// Returns the items of the query.
    ///
    /// - Throws: ``StoreError``.
    public func elements() async throws(StoreError) -> [Element] {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> [Element] in
            let source = try self.source(connection, in: number)
            let limit = self.count ?? .max
            if self.isOrdered(source) { return try self.find(connection, source, limit).elements }
            return try self.firstItems(connection, source, limit).map { $0.element }
        }
    }

    /// Returns the first item of the query; nil if it has no rows.
    ///
    /// - Throws: ``StoreError``.
    public func first() async throws(StoreError) -> Element? {
        count == 0 ? nil : try await limit(1).elements().first
    }

    /// Returns the number of items, up to the limit of the query.
    ///
    /// If the only condition can be answered exactly by an index, no rows are decoded. Otherwise rows are decoded,
    /// because those that do not decode are not counted.
    ///
    /// - Throws: ``StoreError``.
    public func count() async throws(StoreError) -> Int {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> Int in
            let limit = self.count ?? .max
            if let lookup = self.lookup, lookup.isExact, self.conditions.count == 1,
                let index = self.context.indexNumber(lookup.path), try !connection.hasUnorderedValues(index)
            {
                return min(limit, try connection.entryCount(index, lookup.range))
            }
            var count = 0
            try connection.forEachBatch(of: self.lookupSource(in: number), count: Self.batch(limit)) {
                (documents) throws(StoreError) in
                var found = Found()
                let needsMore = self.add(documents, to: &found, limit == .max ? .max : limit - count)
                count += found.rows.count
                return needsMore && count < limit
            }
            return count
        }
    }

    /// Returns the items in order, and the number of the last commit that they include.
    ///
    /// For a limited query whose rows can be read in order, returns the first items and a reserve that replaces removed
    /// ones; for any other query, all items.
    func snapshot() async throws(StoreError) -> Snapshot {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> Snapshot in
            let source = try self.source(connection, in: number)
            let isWindowed = self.count != nil && (self.isOrdered(source) || source.isWalk)
            let found = try self.find(connection, source, isWindowed ? self.window : .max)
            var items = found.items
            if !self.isOrdered(source) { items.sort { self.precedes($0, $1) } }
            return Snapshot(
                items: items,
                commit: try connection.counter("clock"),
                isWindowed: isWindowed,
                isComplete: found.isComplete
            )
        }
    }

    /// The number of rows to keep for a limited query, so that some can be removed before further rows must be read.
    var window: Int { count.map { $0 < 1 << 20 ? 2 * $0 + 20 : .max / 4 } ?? .max / 4 }

    // MARK: Sources

    /// Returns the source of the rows.
    ///
    /// An index is walked in order only for a limited query. For all rows, sorting is faster than fetching each row
    /// through the index.
    private func source(_ connection: Connection, in number: Int64) throws(StoreError) -> RowSource {
        if let order, order.indexOrder != .unknown, count != nil, lookup == nil || lookup?.path == order.path,
            let index = context.indexNumber(order.path), try !connection.hasUnorderedValues(index)
        {
            return .walk(
                index: index,
                lookup?.range ?? .all,
                isForward: order.isForward,
                isExact: order.indexOrder == .exact
            )
        }
        return lookupSource(in: number)
    }

    private func lookupSource(in number: Int64) -> RowSource {
        guard let lookup, let index = context.indexNumber(lookup.path) else { return .scan(collection: number) }
        return .lookup(index: index, lookup.range)
    }

    /// Whether the source yields rows in the order of the query.
    private func isOrdered(_ source: RowSource) -> Bool {
        if case .walk(_, _, _, let isExact) = source { isExact } else { order == nil }
    }

    // MARK: Items

    private static func batch(_ limit: Int) -> Int { min(limit, 1023) + 1 }

    /// Returns the first items in the query's order, regardless of the order of the source.
    private func firstItems(
        _ connection: Connection,
        _ source: RowSource,
        _ limit: Int
    ) throws(StoreError) -> [Item] {
        var found = Found()
        // For a limited query, keep only a bounded number of items.
        let most = limit < 1 << 20 ? 2 * limit + 1000 : .max
        func sorted() -> [Item] { Array(found.items.sorted { precedes($0, $1) }.prefix(limit)) }
        try connection.forEachBatch(of: source, count: Self.batch(.max)) { (documents) throws(StoreError) in
            let needsMore = add(documents, to: &found, source.isWalk ? limit : .max)
            if found.rows.count >= most {
                let items = sorted()
                found.elements = items.map { $0.element }
                found.rows = items.map { $0.row }
            }
            return needsMore
        }
        return sorted()
    }

    /// Returns the matching items in the order of the source, up to a limit.
    private func find(_ connection: Connection, _ source: RowSource, _ limit: Int) throws(StoreError) -> Found {
        var found = Found()
        if case .scan(let collection) = source, conditions.isEmpty {
            found.elements.reserveCapacity(min(limit, try connection.rowCount(of: collection)))
        }
        try connection.forEachBatch(of: source, count: Self.batch(limit)) { (documents) throws(StoreError) in
            add(documents, to: &found, limit)
        }
        return found
    }

    /// Decodes and adds items up to a limit; returns false if items were left out.
    ///
    /// If the order of an index is rounded, items with the same index value as the last one are added beyond the limit.
    private func add(_ documents: StoredDocuments, to found: inout Found, _ limit: Int) -> Bool {
        // For a limited query, decode no more rows than needed.
        let all = limit >= .max / 4 ? context.coding.items(documents) : nil
        if conditions.isEmpty, let all {
            // Append all at once: element-wise copies in unspecialized code took a fifth of the time to read all rows.
            found.elements += all
            found.rows += documents.rows
            return true
        }
        for index in 0..<documents.count {
            if found.rows.count >= limit, documents.startsGroup[index] {
                found.isComplete = false
                return false
            }
            let decoded = all.map { $0[index] } ?? (try? context.coding.item(documents.document(at: index)))
            guard let element = decoded, isIncluded(element) else { continue }
            found.elements.append(element)
            found.rows.append(documents.rows[index])
        }
        return true
    }
}

extension ItemCoding {
    /// Decodes documents in order; returns nil if one of them does not decode.
    func items(_ documents: StoredDocuments) -> [Element]? {
        guard let items = try? decoder.decode([Element].self, from: documents.array), items.count == documents.count
        else { return nil }
        return items
    }
}
