import Waybill
import WaybillSystem

// The reads of a query: they decode the rows that they need, and no others.
extension StoredQuery {
    /// The rows of a query at a commit.
    struct Snapshot: Sendable {
        let items: [Item]
        let commit: Int64

        /// Whether the first rows are found without the others.
        let isPart: Bool

        /// Whether the query has no more rows; if not, those that are missing come after the others.
        let isComplete: Bool
    }

    /// The items that were found, and the numbers of their rows.
    private struct Found {
        var elements: [Element] = []
        var rows: [Int64] = []
        var isComplete = true

        var items: [Item] { zip(rows, elements).map { Item(row: $0, element: $1) } }
    }

    /// Returns the items.
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

    /// Returns the first item; nil if the query has no row.
    ///
    /// - Throws: ``StoreError``.
    public func first() async throws(StoreError) -> Element? {
        count == 0 ? nil : try await limit(1).elements().first
    }

    /// Returns the number of items, which a limit bounds.
    ///
    /// With one condition alone that an index answers exactly, no row is decoded. Otherwise all are, because rows that
    /// do not decode are not counted.
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
                let goesOn = self.add(documents, to: &found, limit == .max ? .max : limit - count)
                count += found.rows.count
                return goesOn && count < limit
            }
            return count
        }
    }

    /// Returns the items in their order, and the number of the last commit that they have in them.
    ///
    /// Those of a limited query are all that it has, or, if they are found in their order, the first ones with a
    /// reserve for those that go.
    func snapshot() async throws(StoreError) -> Snapshot {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> Snapshot in
            let source = try self.source(connection, in: number)
            let isPart = self.count != nil && (self.isOrdered(source) || source.isWalk)
            let found = try self.find(connection, source, isPart ? self.window : .max)
            var items = found.items
            if !self.isOrdered(source) { items.sort { self.precedes($0, $1) } }
            return Snapshot(
                items: items,
                commit: try connection.counter("clock"),
                isPart: isPart,
                isComplete: found.isComplete
            )
        }
    }

    /// The number of rows that are kept for a limited query, so that some can go before others are read.
    var window: Int { count.map { $0 < 1 << 20 ? 2 * $0 + 20 : .max / 4 } ?? .max / 4 }

    // MARK: Sources

    /// An order is walked only for a part of the rows: for all of them, sorting is faster than finding each row.
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

    /// Whether the rows are found in the order of the query.
    private func isOrdered(_ source: RowSource) -> Bool {
        if case .walk(_, _, _, let isExact) = source { isExact } else { order == nil }
    }

    // MARK: Items

    private static func batch(_ limit: Int) -> Int { min(limit, 1023) + 1 }

    /// Returns the first items, whatever the order is in which they are found.
    private func firstItems(
        _ connection: Connection,
        _ source: RowSource,
        _ limit: Int
    ) throws(StoreError) -> [Item] {
        var found = Found()
        // Of a limited query no more than some thousand items are kept at a time.
        let most = limit < 1 << 20 ? 2 * limit + 1000 : .max
        func sorted() -> [Item] { Array(found.items.sorted { precedes($0, $1) }.prefix(limit)) }
        try connection.forEachBatch(of: source, count: Self.batch(.max)) { (documents) throws(StoreError) in
            let goesOn = add(documents, to: &found, source.isWalk ? limit : .max)
            if found.rows.count >= most {
                let items = sorted()
                found.elements = items.map { $0.element }
                found.rows = items.map { $0.row }
            }
            return goesOn
        }
        return sorted()
    }

    /// Returns the items that fit, as they are found, up to a limit.
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

    /// Adds the items of documents; returns false, without the rest, if there are enough.
    ///
    /// If the order of an index is rounded, enough are those up to a limit with all whose value in the index is that of
    /// the last one.
    private func add(_ documents: StoredDocuments, to found: inout Found, _ limit: Int) -> Bool {
        // Of a limited query, no more rows are decoded than it needs.
        let all = limit >= .max / 4 ? context.coding.items(documents) : nil
        if conditions.isEmpty, let all {
            // As a whole: copies one by one, of a type that is not known here, took a fifth of a read of all rows.
            found.elements += all
            found.rows += documents.rows
            return true
        }
        for index in 0..<documents.count {
            if found.rows.count >= limit, documents.beginsPart[index] {
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
    /// Returns the items of documents in their order; nil if one of them does not decode.
    func items(_ documents: StoredDocuments) -> [Element]? {
        guard let items = try? decoder.decode([Element].self, from: documents.array), items.count == documents.count
        else { return nil }
        return items
    }
}
