import Waybill
import WaybillSystem

/// The parts of a store that its collections, outbox and synchronizer share.
final class StoreCore: Sendable {
    private struct State {
        /// The logical time at which a response for a single item last updated each row.
        var updates: [Int64: UInt64] = [:]
        /// The logical time at which each row was last removed, by collection and id.
        var removals: [Int64: [String: UInt64]] = [:]
        var logicalTime: UInt64 = 0
        /// The last error of each write since the store was opened.
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

    /// Moves a collection to its current address, with temporary ids replaced by permanent ones.
    func updateAddress(of collection: any RegisteredCollection) async throws(StoreError) {
        let old = CollectionRecord(key: collection.key, address: collection.address, template: collection.template)
        let new = try await read { (connection) throws(StoreError) -> CollectionRecord in
            CollectionRecord(
                key: CollectionKey(user: old.key.user, text: try connection.resolvingTemporaryIDs(in: old.key.text)),
                address: try connection.resolvingTemporaryIDs(in: old.address),
                template: old.template
            )
        }
        if new != old { registry.moveCollections([StoreWrite.RenamedCollection(old: old, new: new)]) }
    }

    /// Opens the active collections that are not open yet, so that they are moved and their pending writes converted.
    ///
    /// Collections with an invalid declaration stay closed.
    func openDeclared() async throws(StoreError) {
        guard !isReadOnly else { return }
        for collection in registry.active where !collection.isOpen {
            do throws(StoreError) { _ = try await collection.number(in: self) } catch {
                if case .database = error { throw error }
            }
        }
    }

    // MARK: Reads and writes

    /// Executes a write in a durable transaction, and publishes its changes.
    ///
    /// - Parameter body: the write. If it reads a damaged row, it is rolled back, the row is set aside, and the write
    ///   is executed again.
    /// - Returns: the result of the write.
    /// - Throws: the error thrown by the write, or a database error.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let damage = Locked<Set<DamagedRow>>([])
        do throws(StoreError) {
            return try await commit { (write) throws(StoreError) in
                _ = write.connection.takeDamage()
                let result = Result { () throws(StoreError) in try body(write) }
                let found = write.connection.takeDamage()
                guard found.isEmpty else {
                    damage.withLock { $0 = found }
                    throw .corrupt("a row is damaged")
                }
                return try result.get()
            }
        } catch {
            let found = damage.withLock { $0 }
            if found.isEmpty { throw error }
            try await setAside(found)
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
            self.recordRemovals(write.removed)
            let renamed = write.renamed
            transaction.afterCommit {
                self.registry.moveCollections(renamed)
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

    /// Records the error of a write in memory, for as long as the store exists.
    func recordError(_ error: APIError, of write: Int64) { state.withLock { $0.errors[write] = error } }

    func error(of write: Int64) -> APIError? { state.withLock { $0.errors[write] } }

    // MARK: Overlapping responses

    /// The current logical time, used to determine whether a response is older than the last change to a row.
    var logicalTime: UInt64 { state.withLock { $0.logicalTime } }

    /// Records that a response for a single item has updated a row: to a write, a comparison or an in-step operation.
    func recordUpdate(of row: Int64) {
        state.withLock { state in
            state.logicalTime += 1
            state.updates[row] = state.logicalTime
        }
    }

    /// Records removed rows, which a page in flight may still contain.
    private func recordRemovals(_ removed: [(collection: Int64, id: String)]) {
        guard !removed.isEmpty else { return }
        state.withLock { state in
            state.logicalTime += 1
            for row in removed { state.removals[row.collection, default: [:]][row.id] = state.logicalTime }
        }
    }

    /// Whether the row with an id has been removed since a logical time.
    func wasRemoved(_ id: String, from collection: Int64, since time: UInt64) -> Bool {
        state.withLock { $0.removals[collection]?[id] ?? 0 > time }
    }

    /// Discards a collection's recorded removals; call this only while none of its pages are in flight.
    func discardRemovals(in collection: Int64) { state.withLock { $0.removals[collection] = nil } }

    /// Whether a response for a single item has updated a row since a logical time; see ``recordUpdate(of:)``.
    func wasUpdated(_ row: Int64, since time: UInt64) -> Bool {
        state.withLock { $0.updates[row] ?? 0 > time }
    }
}
