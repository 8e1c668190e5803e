import Waybill
import WaybillSystem

/// The components of a store that its collections, its outbox and its synchronizer share.
final class StoreCore: Sendable {
    private struct State {
        /// The logical time at which a response to a write last changed each row.
        var settled: [Int64: UInt64] = [:]
        /// The logical time at which each row was last removed, by collection and id.
        var removals: [Int64: [String: UInt64]] = [:]
        var moment: UInt64 = 0
        /// The errors of this run, by write.
        var errors: [Int64: APIError] = [:]
        var isInspected = false
    }

    let database: Database
    let clock: AnyClock
    let dates: Client.DateProvider
    let random: RandomSource
    let settings: StoreSettings
    let events = StoreEvents()
    let registry: CollectionRegistry
    private let state = Locked(State())

    init(
        _ database: Database,
        user: String,
        clock: AnyClock,
        dates: Client.DateProvider,
        random: RandomSource,
        settings: StoreSettings
    ) {
        registry = CollectionRegistry(user: user)
        self.database = database
        self.clock = clock
        self.dates = dates
        self.random = random
        self.settings = settings
    }

    var now: Date { dates.now }

    /// Whether the store was opened for reading only.
    var isReadOnly: Bool { database.isReadOnly }

    /// Returns a new idempotency key for a write.
    func newKey() -> String { IdempotencyKey.random(random) }

    /// Moves a collection to its current address, in which permanent ids replace temporary ones.
    func resolve(_ collection: any RegisteredCollection) async throws(StoreError) {
        let old = CollectionPlace(key: collection.key, address: collection.address, template: collection.template)
        let new = try await read { (connection) throws(StoreError) -> CollectionPlace in
            CollectionPlace(
                key: CollectionKey(user: old.key.user, text: try connection.currentText(of: old.key.text)),
                address: try connection.currentText(of: old.address),
                template: old.template
            )
        }
        if new != old { registry.follow([StoreWrite.RenamedCollection(old: old, new: new)]) }
    }

    /// Opens the declared collections that are not open yet, because one may have moved or may need to convert its
    /// writes.
    ///
    /// Collections with an error in their declaration stay closed.
    func openDeclared() async throws(StoreError) {
        guard !isReadOnly else { return }
        for collection in registry.served where !collection.isOpen {
            do throws(StoreError) { _ = try await collection.number(in: self) } catch {
                if case .database = error { throw error }
            }
        }
    }

    // MARK: Reads and writes

    /// Executes a write in a transaction, durably, and publishes the changes.
    ///
    /// - Parameter body: the write. If it reads a damaged row, it is rolled back, the row is set aside, and the write
    ///   is executed again.
    /// - Returns: the result of the write.
    /// - Throws: the error of the write or of the database.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let damage = Locked<Set<DamagedPlace>>([])
        do throws(StoreError) {
            return try await commit { (write) throws(StoreError) in
                _ = write.connection.takeDamage()
                let result = Result { () throws(StoreError) in try body(write) }
                let met = write.connection.takeDamage()
                guard met.isEmpty else {
                    damage.withLock { $0 = met }
                    throw .corrupt("a row is damaged")
                }
                return try result.get()
            }
        } catch {
            let met = damage.withLock { $0 }
            if met.isEmpty { throw error }
            try await setAside(met)
            return try await commit(body)
        }
    }

    /// Executes a write in a transaction, without checking for damaged rows.
    func commit<Value: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await database.write { (transaction) throws(StoreError) in
            let write = StoreWrite(transaction.connection) { self.registry.collections($0).first }
            let value = try body(write)
            let changes = try write.finish(at: self.now)
            let states = try write.changedStates { number in
                self.registry.collections(number).contains { $0.stateObservers.isObserved }
            }
            self.noteRemovals(write.removed)
            let renamed = write.renamed
            transaction.afterCommit {
                self.registry.follow(renamed)
                for (number, changes) in changes {
                    for collection in self.registry.collections(number) { collection.publish(changes) }
                }
                for (number, states) in states {
                    for collection in self.registry.collections(number) { collection.stateObservers.publish(states) }
                }
            }
            return value
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let (value, damage) = try await database.read { (connection) throws(StoreError) in
            _ = connection.takeDamage()
            return (try body(connection), connection.takeDamage())
        }
        if !damage.isEmpty, !isReadOnly { try await setAside(damage) }
        return value
    }

    /// Whether the whole file has been checked since it was opened.
    var isInspected: Bool {
        get { state.withLock { $0.isInspected } }
        set { state.withLock { $0.isInspected = newValue } }
    }

    /// Keeps the error of a write until the program ends.
    func keep(_ error: APIError, of write: Int64) { state.withLock { $0.errors[write] = error } }

    func error(of write: Int64) -> APIError? { state.withLock { $0.errors[write] } }

    // MARK: Overlapping responses

    /// The current logical time, used to determine whether a response is older than the last change to a row.
    var moment: UInt64 { state.withLock { $0.moment } }

    /// Records that the response to a write has changed a row.
    func noteSettled(_ row: Int64) {
        state.withLock { state in
            state.moment += 1
            state.settled[row] = state.moment
        }
    }

    /// Records removed rows, which a page in flight may still contain.
    private func noteRemovals(_ removed: [(collection: Int64, id: String)]) {
        guard !removed.isEmpty else { return }
        state.withLock { state in
            state.moment += 1
            for row in removed { state.removals[row.collection, default: [:]][row.id] = state.moment }
        }
    }

    /// Whether the row with an id has been removed since a logical time.
    func wasRemoved(_ id: String, from collection: Int64, since moment: UInt64) -> Bool {
        state.withLock { $0.removals[collection]?[id] ?? 0 > moment }
    }

    /// Discards the recorded removals of a collection that has no page in flight.
    func forgetRemovals(in collection: Int64) { state.withLock { $0.removals[collection] = nil } }

    /// Whether the response to a write has changed a row since a logical time.
    func wasSettled(_ row: Int64, since moment: UInt64) -> Bool {
        state.withLock { $0.settled[row] ?? 0 > moment }
    }
}
