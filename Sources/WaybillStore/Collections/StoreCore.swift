import Waybill
import WaybillSystem

/// The parts of a store that its collections, its outbox and its synchronization share.
final class StoreCore: Sendable {
    private struct State {
        /// The numbers of the last changes of rows by responses to writes.
        var settled: [Int64: UInt64] = [:]
        /// The numbers of the last removals of rows, by collection and id.
        var removals: [Int64: [String: UInt64]] = [:]
        var moment: UInt64 = 0
        /// The errors of this run, by the numbers of their writes.
        var errors: [Int64: APIError] = [:]
        var isInspected = false
    }

    let database: Database
    let clock: AnyClock
    let dates: DateProvider
    let random: RandomSource
    let settings: StoreSettings
    let events = StoreEvents()
    let registry: CollectionRegistry
    private let state = Locked(State())

    init(
        _ database: Database,
        user: String,
        clock: AnyClock,
        dates: DateProvider,
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

    /// Whether another process writes the file, and this one only reads it.
    var isReadOnly: Bool { database.isReadOnly }

    /// Returns a new key by which a server knows the repetition of a write.
    func newKey() -> String { IdempotencyKey.random(random) }

    /// Gives a collection the address that it has since servers gave ids in place of temporary ones.
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

    /// Opens the declared collections that are not open yet: one may have had another address, or convert its writes.
    ///
    /// Those whose declarations have errors stay closed.
    func openDeclared() async throws(StoreError) {
        guard !isReadOnly else { return }
        for collection in registry.served where !collection.isOpen {
            do throws(StoreError) { _ = try await collection.number(in: self) } catch {
                if case .database = error { throw error }
            }
        }
    }

    // MARK: Reads and writes

    /// Runs a write in one transaction, durable when it returns, and shows what has changed.
    ///
    /// - Parameter body: the write; it runs a second time, after the first was undone, if it meets a damaged row.
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

    /// Runs a write in one transaction, which does not look for damaged rows.
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

    /// Whether the whole file was checked since it was opened.
    var isInspected: Bool {
        get { state.withLock { $0.isInspected } }
        set { state.withLock { $0.isInspected = newValue } }
    }

    /// Keeps an error for as long as the program runs.
    func keep(_ error: APIError, of write: Int64) { state.withLock { $0.errors[write] = error } }

    func error(of write: Int64) -> APIError? { state.withLock { $0.errors[write] } }

    // MARK: Responses that meet each other

    /// The present moment, for requests whose responses may be older than a row.
    var moment: UInt64 { state.withLock { $0.moment } }

    /// Notes that the response to a write has changed a row.
    func noteSettled(_ row: Int64) {
        state.withLock { state in
            state.moment += 1
            state.settled[row] = state.moment
        }
    }

    /// Notes removed rows: a page that is on its way may have their items.
    private func noteRemovals(_ removed: [(collection: Int64, id: String)]) {
        guard !removed.isEmpty else { return }
        state.withLock { state in
            state.moment += 1
            for row in removed { state.removals[row.collection, default: [:]][row.id] = state.moment }
        }
    }

    /// Whether the row with an id was removed since a moment.
    func wasRemoved(_ id: String, from collection: Int64, since moment: UInt64) -> Bool {
        state.withLock { $0.removals[collection]?[id] ?? 0 > moment }
    }

    /// Forgets the removals in a collection of which no page is on its way.
    func forgetRemovals(in collection: Int64) { state.withLock { $0.removals[collection] = nil } }

    /// Whether the response to a write has changed a row since a moment.
    func wasSettled(_ row: Int64, since moment: UInt64) -> Bool {
        state.withLock { $0.settled[row] ?? 0 > moment }
    }
}
