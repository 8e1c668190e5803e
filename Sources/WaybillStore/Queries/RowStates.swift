import Waybill
import WaybillSystem

extension StoredQuery {
    /// The states of the rows of a collection with entries in the outbox; no other row has a state.
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

        /// The state of a row; nil if servers have all its writes.
        public subscript(row: StoredChange<Element>.Row) -> OutboxEntry.RowState? { rows[row.id]?.state }

        /// The state of the item with an id; nil if servers have all its writes.
        ///
        /// An item has the id that its row has now: after the server has given one, a temporary id has no state here.
        /// ``StoredCollection/state(of:)`` also finds the row by its temporary id.
        public subscript(id: Element.ID) -> OutboxEntry.RowState? {
            numbers[Element.ID.pathSegment(of: id)].flatMap { rows[$0]?.state }
        }

        /// The states of all rows that have one, in insertion order of the rows.
        public var values: [OutboxEntry.RowState] { rows.sorted { $0.key < $1.key }.map(\.value.state) }

        /// Takes the states of changed rows, and returns whether any differs.
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

        /// Compares the states and the rows that have them.
        public static func == (left: States, right: States) -> Bool { left.rows == right.rows }
    }

    /// The states of a collection's rows, and then each further ones; see ``StoredCollection/stateChanges``.
    ///
    /// A slow reader gets several changes as one. The sequence ends when the store is closed or becomes another user's,
    /// if it cannot be read, and if its task is cancelled.
    public struct StateChanges: AsyncSequence, Sendable {
        let query: StoredQuery

        /// Begins with the states as they are at the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

        /// Iterates states.
        public struct Iterator: AsyncIteratorProtocol {
            private let query: StoredQuery
            private var states = States()
            private var subscription: RowObservers<RowStatus>.Subscription?

            init(query: StoredQuery) { self.query = query }

            /// Returns the states, and then the next ones that differ; nil at the end.
            public mutating func next() async -> States? {
                let (context, core) = (query.context, query.core)
                guard let subscription else {
                    let subscription = context.stateObservers.subscribe()
                    self.subscription = subscription
                    guard let rows = try? await context.states(in: core, before: subscription) else { return nil }
                    states = States(rows)
                    return states
                }
                while let changes = await subscription.next(after: 0), core.registry.isServed(context) {
                    if states.apply(changes) { return states }
                }
                return nil
            }
        }
    }
}

extension StoredQuery {
    /// The states of the rows of the whole collection.
    var stateChanges: StateChanges { StateChanges(query: self) }
}

extension CollectionContext {
    /// Returns the states of the rows.
    ///
    /// - Parameters:
    ///   - core: the store.
    ///   - subscription: a subscription that gets the changes that follow, and no earlier one; nil without one.
    /// - Returns: the states by their rows.
    /// - Throws: the error of the database.
    func states(
        in core: StoreCore,
        before subscription: RowObservers<RowStatus>.Subscription? = nil
    ) async throws(StoreError) -> [Int64: RowStatus] {
        let number = try await number(in: core)
        guard let subscription, !core.isReadOnly else {
            return try await core.read { (connection) throws(StoreError) in try connection.statuses(in: number) }
        }
        // Transactions that began before the subscription publish nothing to it. A read among the writes comes after
        // them, and before all that publish.
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
