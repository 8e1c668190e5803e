import Waybill
import WaybillSystem

extension StoredQuery {
    /// The states of the rows in a collection that have entries in the outbox; other rows have no state.
    ///
    /// ```swift
    /// let states = try await products.states()
    /// for product in try await cheap.elements() where states[product.id] != nil { print(product.name, "not sent") }
    /// ```
    public struct States: Sendable, Equatable {
        private var rows: [Int64: RowStatus]
        private var numbers: [String: Int64]

        init(_ rows: [Int64: RowStatus] = [:]) {
            self.rows = rows
            numbers = Dictionary(rows.map { ($0.value.id, $0.key) }) { first, _ in first }
        }

        /// The state of a row; nil if it has no pending writes.
        ///
        /// - Parameter row: the row, from the changes of a query for the same collection.
        public subscript(row: StoredChange<Element>.Row) -> OutboxEntry.RowState? { rows[row.id]?.state }

        /// The state of the item with an id; nil if it has no pending writes.
        ///
        /// After the server has assigned an id, the temporary id has no state here. ``StoredCollection/state(of:)``
        /// also accepts the temporary id.
        ///
        /// - Parameter id: the current id of the item.
        public subscript(id: Element.ID) -> OutboxEntry.RowState? {
            numbers[Element.ID.pathSegment(of: id)].flatMap { rows[$0]?.state }
        }

        /// The states of all rows with pending writes, in the order in which the store first received the rows.
        public var values: [OutboxEntry.RowState] { rows.sorted { $0.key < $1.key }.map(\.value.state) }

        /// Applies the states of changed rows, and returns whether any state has changed.
        mutating func apply(_ changes: [ChangedRow<RowStatus>]) -> Bool {
            var isChanged = false
            for change in changes where rows[change.row] != change.item {
                if let old = rows[change.row], numbers[old.id] == change.row { numbers[old.id] = nil }
                rows[change.row] = change.item
                if let new = change.item { numbers[new.id] = change.row }
                isChanged = true
            }
            return isChanged
        }

        /// Compares the rows and their states.
        ///
        /// - Parameters:
        ///   - left: the states of some rows.
        ///   - right: the states to compare them with.
        /// - Returns: whether they are equal.
        public static func == (left: States, right: States) -> Bool { left.rows == right.rows }
    }

    /// The states of a collection's rows, followed by each change; see ``StoredCollection/stateChanges``.
    ///
    /// A slow reader receives combined changes. The sequence ends if the store is closed or switched to another
    /// user, if the store cannot be read, or if the task is cancelled.
    public struct StateChanges: AsyncSequence, Sendable {
        let query: StoredQuery

        /// Creates an iterator, which begins with the states at the first call to `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

        /// An iterator over the states.
        public struct Iterator: AsyncIteratorProtocol {
            private let query: StoredQuery
            private var states = States()
            private var subscription: RowObservers<RowStatus>.Subscription?

            init(query: StoredQuery) { self.query = query }

            /// Returns the initial states, and then the states after each change; returns nil at the end.
            public mutating func next() async -> States? {
                let (context, core) = (query.context, query.core)
                guard let subscription else {
                    let subscription = context.stateObservers.subscribe()
                    self.subscription = subscription
                    guard let rows = try? await context.states(in: core, before: subscription) else { return nil }
                    states = States(rows)
                    return states
                }
                while let changes = await subscription.next(after: 0), core.registry.isActive(context) {
                    if states.apply(changes) { return states }
                }
                return nil
            }
        }
    }
}

extension StoredQuery {
    /// The states of all rows of the collection, regardless of the query's conditions.
    var stateChanges: StateChanges { StateChanges(query: self) }
}

extension CollectionContext {
    /// Returns the states of the rows with pending writes.
    ///
    /// - Parameters:
    ///   - core: the store.
    ///   - subscription: a subscription to clear, so that it receives only later changes; nil without a subscription.
    /// - Returns: the states, by row number.
    /// - Throws: a database error.
    func states(
        in core: StoreCore,
        before subscription: RowObservers<RowStatus>.Subscription? = nil
    ) async throws(StoreError) -> [Int64: RowStatus] {
        let number = try await number(in: core)
        guard let subscription, !core.isReadOnly else {
            return try await core.read { (connection) throws(StoreError) in try connection.statuses(in: number) }
        }
        // Transactions that began before the subscription may not publish to it. A read in the write queue runs after
        // them, and before all transactions that do publish.
        let (statuses, damage) = try await core.database.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            _ = connection.takeDamage()
            let statuses = try connection.statuses(in: number)
            transaction.afterCommit { subscription.clear() }
            return (statuses, connection.takeDamage())
        }
        if !damage.isEmpty { try await core.setAside(damage) }
        return statuses
    }
}
