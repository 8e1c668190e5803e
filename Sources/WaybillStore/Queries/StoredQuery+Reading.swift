import Waybill
import WaybillSystem

// The reads of a query: they decode the rows that they need, and no others.
extension StoredQuery {
    /// The way in which the rows are found.
    enum Strategy {
        /// All rows, in the order of their numbers.
        case scan
        /// The rows that an index finds, in the order of their numbers.
        case lookup(index: Int64, IndexRange)
        /// The rows in the order of an index, which is that of the query.
        case walk(index: Int64, IndexRange, isForward: Bool, isExact: Bool)

        var isWalk: Bool { if case .walk = self { true } else { false } }
    }

    /// The rows of a query at a commit.
    struct Snapshot: Sendable {
        let items: [Item]
        let commit: Int64

        /// Whether the first rows are found without the others.
        let isPart: Bool

        /// Whether the query has no more rows; if not, those that are missing come after the others.
        let isComplete: Bool
    }

    /// Returns the items.
    ///
    /// - Throws: ``StoreError``.
    public func elements() async throws(StoreError) -> [Element] {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> [Element] in
            let strategy = try self.strategy(connection)
            let limit = self.count ?? .max
            guard self.isOrdered(strategy) else {
                return try self.firstItems(connection, in: number, strategy, limit).map { $0.element }
            }
            var elements: [Element] = []
            _ = try self.forEachItem(connection, in: number, strategy, limit) { elements.append($0.element) }
            return elements
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
    /// Without a condition, or with one alone that an index answers exactly, no row is decoded. Without a condition,
    /// rows that do not decode are counted too.
    ///
    /// - Throws: ``StoreError``.
    public func count() async throws(StoreError) -> Int {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> Int in
            let limit = self.count ?? .max
            if self.conditions.isEmpty { return min(limit, try connection.rowCount(of: number)) }
            if let lookup = self.lookup, lookup.isExact, self.conditions.count == 1,
                let index = self.context.indexNumber(lookup.path), try !connection.hasUnorderedValues(index)
            {
                return min(limit, try connection.entryCount(index, lookup.range))
            }
            var count = 0
            _ = try self.forEachItem(connection, in: number, self.lookupStrategy, limit) { _ in count += 1 }
            return count
        }
    }

    /// Returns the items in their order, and the number of the last commit that they have in them.
    ///
    /// Those of a limited query are all that it has, or, if they are found in their order, the first ones with a reserve
    /// for those that go.
    func snapshot() async throws(StoreError) -> Snapshot {
        let number = try await context.number(in: core)
        return try await core.read { (connection) throws(StoreError) -> Snapshot in
            let strategy = try self.strategy(connection)
            let isPart = self.count != nil && (self.isOrdered(strategy) || strategy.isWalk)
            var items: [Item] = []
            let isComplete = try self.forEachItem(connection, in: number, strategy, isPart ? self.window : .max) {
                items.append($0)
            }
            if !self.isOrdered(strategy) { items.sort { self.precedes($0, $1) } }
            return Snapshot(
                items: items,
                commit: try connection.counter("clock"),
                isPart: isPart,
                isComplete: isComplete
            )
        }
    }

    /// The number of rows that are kept for a limited query, so that some can go before others are read.
    var window: Int { count.map { $0 < 1 << 20 ? 2 * $0 + 20 : .max / 4 } ?? .max / 4 }

    // MARK: Strategies

    /// An order is walked only for a part of the rows: for all of them, sorting is faster than finding each row.
    private func strategy(_ connection: Connection) throws(StoreError) -> Strategy {
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
        return lookupStrategy
    }

    private var lookupStrategy: Strategy {
        guard let lookup, let index = context.indexNumber(lookup.path) else { return .scan }
        return .lookup(index: index, lookup.range)
    }

    /// Whether the rows are found in the order of the query.
    private func isOrdered(_ strategy: Strategy) -> Bool {
        if case .walk(_, _, _, let isExact) = strategy { isExact } else { order == nil }
    }

    /// Returns the first items of the query's order, whatever the order is in which they are found.
    private func firstItems(
        _ connection: Connection,
        in number: Int64,
        _ strategy: Strategy,
        _ limit: Int
    ) throws(StoreError) -> [Item] {
        var items: [Item] = []
        // Of a limited query no more than some thousand items are kept at a time.
        let most = limit < 1 << 20 ? 2 * limit + 1000 : .max
        _ = try forEachItem(connection, in: number, strategy, strategy.isWalk ? limit : .max) { item in
            items.append(item)
            guard items.count == most else { return }
            items.sort { precedes($0, $1) }
            items.removeLast(items.count - limit)
        }
        items.sort { precedes($0, $1) }
        if items.count > limit { items.removeLast(items.count - limit) }
        return items
    }

    /// Calls a closure with the items that fit, as they are found.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - number: the number of the collection.
    ///   - strategy: the way in which they are found.
    ///   - limit: the number of items after which it ends. If the order of an index is rounded, it ends after all items
    ///     whose value in the index is that of the last one.
    ///   - body: the closure.
    /// - Returns: whether those were all.
    /// - Throws: the error of the database.
    private func forEachItem(
        _ connection: Connection,
        in number: Int64,
        _ strategy: Strategy,
        _ limit: Int,
        _ body: (Item) -> Void
    ) throws(StoreError) -> Bool {
        var count = 0
        func take(_ number: Int64, _ row: borrowing Row, _ column: Int) {
            guard let element = row.withBytes(column, { try? context.coding.item(Data($0)) }), isIncluded(element)
            else { return }
            count += 1
            body(Item(row: number, element: element))
        }
        func fetch(_ number: Int64) throws(StoreError) {
            try connection.forEach(
                "SELECT document FROM rows WHERE number = ? AND is_deleted = 0",
                [.integer(number)]
            ) { (row) throws(StoreError) in
                take(number, row, 0)
                return true
            }
        }
        var isComplete = true
        switch strategy {
        case .scan:
            try connection.forEach(
                "SELECT number, document FROM rows WHERE collection = ? AND is_deleted = 0 ORDER BY number",
                [.integer(number)]
            ) { (row) throws(StoreError) in
                isComplete = count < limit
                if isComplete { take(row.integer(0) ?? 0, row, 1) }
                return isComplete
            }
        case .lookup(let index, let range):
            try connection.forEachEntry(index, range) { (row) throws(StoreError) in
                isComplete = count < limit
                if isComplete { try fetch(row) }
                return isComplete
            }
        case .walk(let index, let range, let isForward, let isExact):
            var last: DatabaseValue?
            try connection.forEachEntry(index, range, isForward: isForward) { (row, value) throws(StoreError) in
                isComplete = count < limit || !isExact && value == last
                last = value
                if isComplete { try fetch(row) }
                return isComplete
            }
        }
        return isComplete
    }
}

extension Connection {
    /// Returns the number of a collection's rows that are seen.
    fileprivate func rowCount(of collection: Int64) throws(StoreError) -> Int {
        // Both counts are answered by an index alone: a deleted row has a pending write.
        let sql = """
            SELECT (SELECT count(*) FROM rows WHERE collection = ?1)
                - (SELECT count(*) FROM rows WHERE collection = ?1 AND pending > 0 AND is_deleted = 1)
            """
        return Int(try first(sql, [.integer(collection)]) { $0.integer(0) } ?? 0)
    }
}
