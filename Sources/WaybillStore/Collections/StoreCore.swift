import Waybill
import WaybillSystem

/// The parts of a store that its collections, its outbox and its synchronization share.
final class StoreCore: Sendable {
    private struct State {
        /// The collections that the program has declared, by their URLs.
        var collections: [String: any RegisteredCollection] = [:]
        /// Those whose numbers in the file are known; several of one number have had different temporary ids in their
        /// paths.
        var numbers: [Int64: [any RegisteredCollection]] = [:]
        /// The numbers of the last changes of rows by responses to writes.
        var settled: [Int64: UInt64] = [:]
        /// The numbers of the last removals of rows, by collection and id.
        var removals: [Int64: [String: UInt64]] = [:]
        var moment: UInt64 = 0
        /// The errors of this run, by the numbers of their writes.
        var errors: [Int64: APIError] = [:]
    }

    let database: Database
    let clock: AnyClock
    let dates: DateProvider
    let random: RandomSource
    let settings: StoreSettings
    let events = StoreEvents()
    private let state = Locked(State())

    init(_ database: Database, clock: AnyClock, dates: DateProvider, random: RandomSource, settings: StoreSettings) {
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

    // MARK: Collections

    /// Returns the collection that is declared at a URL, or declares it.
    func collection<Element>(
        at url: String,
        _ make: () -> CollectionContext<Element>
    ) -> CollectionContext<Element>? {
        if let known = state.withLock({ $0.collections[url] }) { return known as? CollectionContext<Element> }
        let new = make()
        return state.withLock { state in
            let known = state.collections[url, default: new]
            state.collections[url] = known
            return known as? CollectionContext<Element>
        }
    }

    func collection(at url: String) -> (any RegisteredCollection)? { state.withLock { $0.collections[url] } }

    func collection(_ number: Int64) -> (any RegisteredCollection)? { state.withLock { $0.numbers[number]?.first } }

    func know(_ collection: any RegisteredCollection, as number: Int64) {
        state.withLock { state in
            if state.numbers[number]?.contains(where: { $0 === collection }) ?? false { return }
            state.numbers[number, default: []].append(collection)
        }
    }

    func forget(_ collection: any RegisteredCollection, as number: Int64) {
        state.withLock { $0.numbers[number]?.removeAll { $0 === collection } }
    }

    /// Gives a collection the path that it has since servers gave ids in place of temporary ones.
    func resolve(_ collection: any RegisteredCollection) async throws(StoreError) {
        let old = collection.url
        let new = try await read { (connection) throws(StoreError) -> String in
            try old.split(separator: "/", omittingEmptySubsequences: false)
                .map { (segment) throws(StoreError) -> String in
                    let id = try PercentEncoding.decode(String(segment)).flatMap { (id) throws(StoreError) in
                        try connection.permanentID(of: id)
                    }
                    return id.map(PercentEncoding.encode) ?? String(segment)
                }
                .joined(separator: "/")
        }
        if new != old { follow([StoreWrite.RenamedCollection(oldURL: old, newURL: new)]) }
    }

    /// All declared collections.
    var collections: [any RegisteredCollection] { state.withLock { Array($0.collections.values) } }

    /// Follows collections whose paths had a temporary id in them.
    private func follow(_ renamed: [StoreWrite.RenamedCollection]) {
        for change in renamed {
            let found = state.withLock { state -> (any RegisteredCollection)? in
                let collection = state.collections.removeValue(forKey: change.oldURL)
                if let collection, state.collections[change.newURL] == nil {
                    state.collections[change.newURL] = collection
                }
                return collection
            }
            guard let found else { continue }
            found.move(to: change.applied(to: found.resource), url: change.newURL)
        }
    }

    // MARK: Reads and writes

    /// Runs a write in one transaction, durable when it returns, and shows what has changed.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await database.write { (transaction) throws(StoreError) in
            let write = StoreWrite(transaction.connection) { self.collection($0) }
            let value = try body(write)
            let changes = try write.finish(at: self.now)
            self.noteRemovals(write.removed)
            let renamed = write.renamed
            transaction.afterCommit {
                self.follow(renamed)
                for (number, changes) in changes {
                    for collection in self.state.withLock({ $0.numbers[number] ?? [] }) { collection.publish(changes) }
                }
            }
            return value
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await database.read(body)
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

extension StoreWrite.RenamedCollection {
    /// Returns a resource at the new path: with the values replaced that differ between the two URLs.
    fileprivate func applied(to resource: DocumentResource) -> DocumentResource {
        let changed = zip(oldURL.split(separator: "/"), newURL.split(separator: "/")).filter { $0 != $1 }
        return changed.reduce(resource) { resource, pair in
            let (old, new) = (String(pair.0), String(pair.1))
            return resource.replacing(
                PercentEncoding.decode(old) ?? old,
                by: PercentEncoding.decode(new) ?? new
            )
        }
    }
}
