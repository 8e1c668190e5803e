import Waybill
import WaybillSystem

extension OutboxSender {
    /// Checks that the store serves the user of an entry, because users must not decide about each other's entries.
    ///
    /// An entry that does not exist passes the check.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/otherUser(_:)``.
    nonisolated func checkUser(of id: OutboxEntry.ID) async throws(StoreError) {
        let user = try await core.read { (connection) throws(StoreError) -> String? in
            guard let write = try connection.outboxWrite(id) else { return nil }
            return try connection.place(ofCollection: write.collection)?.key.user
        }
        if let user, !core.registry.activeUsers.contains(user) { throw .otherUser(user) }
    }

    /// Returns the entries of the outbox, each with the reason why it is waiting.
    func entries() async throws(StoreError) -> [OutboxEntry] {
        try await entries { (_, _, entry) in entry }
    }

    /// Returns the transformed entries of the outbox, read in one snapshot.
    ///
    /// - Parameters:
    ///   - collection: the number of the collection whose entries are returned; nil for all entries.
    ///   - make: transforms a write and its entry.
    /// - Returns: the results, in the order of the writes.
    /// - Throws: the error of the database or of the closure.
    func entries<Value: Sendable>(
        ofCollection collection: Int64? = nil,
        _ make: @escaping @Sendable (Connection, OutboxWrite, OutboxEntry) throws(StoreError) -> Value
    ) async throws(StoreError) -> [Value] {
        try await core.openDeclared()
        let (core, now, isSignedOut, waitsForNetwork) = (core, core.now, isSignedOut, waitsForNetwork)
        let users = core.registry.activeUsers
        return try await core.read { (connection) throws(StoreError) in
            let writes =
                if let collection {
                    try connection.outboxWrites(ofCollection: collection)
                } else {
                    try connection.outboxWrites()
                }
            let ready = Set(try connection.sendingOrder(of: users).ready(at: .distantFuture))
            let places = Dictionary(uniqueKeysWithValues: try connection.places(where: "1", []).map { ($0, $1) })
            var declared: [Int64: Bool] = [:]
            for number in Set(writes.map(\.collection)) {
                declared[number] = places[number].flatMap { core.registry.sender(of: $0) } != nil
            }
            return try writes.map { (write) throws(StoreError) in
                let id = try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(write.row)]) {
                    $0.text(0)
                }
                guard let place = places[write.collection] else {
                    throw .corrupt("the collection of a pending write is missing")
                }
                let wait: OutboxEntry.Wait =
                    if !users.contains(place.key.user) {
                        .otherUser
                    } else if declared[write.collection] != true {
                        .declaration
                    } else if !ready.contains(write.number) {
                        .earlierWrite
                    } else if isSignedOut {
                        .signIn
                    } else if waitsForNetwork {
                        .network
                    } else if let date = write.notBefore, date > now {
                        .until(date)
                    } else {
                        .turn
                    }
                return try make(connection, write, core.entry(write, place, id ?? "", wait))
            }
        }
    }

    /// Counts the writes, and reports the status if it has changed.
    func reportStatus() async {
        let (core, users) = (core, core.registry.activeUsers)
        statusNumbers.counted += 1
        let number = statusNumbers.counted
        let counts = try? await core.read { (connection) throws(StoreError) -> [String: Int] in
            let places = Dictionary(uniqueKeysWithValues: try connection.places(where: "1", []).map { ($0, $1) })
            let sql = "SELECT state, collection, count FROM outbox_states"
            let rows = try connection.query(sql, []) { row -> (String, Int)? in
                let (state, count) = (row.text(0) ?? "", Int(row.integer(2) ?? 0))
                guard let place = places[row.integer(1) ?? 0], users.contains(place.key.user) else { return nil }
                return (core.isUndeclared(place) ? EntryLife.Phase.parked.rawValue : state, count)
            }
            return Dictionary(rows, uniquingKeysWith: +)
        }
        // A later count may have finished first.
        guard let counts, number > statusNumbers.shown else { return }
        statusNumbers.shown = number
        let (sending, waiting) = (counts["sending"] ?? 0, counts["waiting"] ?? 0)
        let attention = (counts["unknown"] ?? 0) + (counts["parked"] ?? 0) + (counts["conflict"] ?? 0)
        let status: StoreStatus =
            if sending > 0, !isOffline, !waitsForNetwork {
                .sending(sending)
            } else if waiting > 0, isSignedOut {
                .signedOut(waiting: waiting)
            } else if sending + waiting > 0, isOffline || waitsForNetwork {
                .offline(waiting: sending + waiting)
            } else if attention > 0 {
                .attentionNeeded(attention)
            } else if waiting > 0 {
                .offline(waiting: waiting)
            } else {
                .idle
            }
        core.events.updateStatus(to: status)
    }
}

extension StoreCore {
    func entry(
        _ write: OutboxWrite,
        _ place: CollectionPlace,
        _ id: String,
        _ wait: OutboxEntry.Wait
    ) -> OutboxEntry {
        var isUndeclared = false
        var failure = write.failure
        failure?.error = error(of: write.number)
        var state: OutboxEntry.State =
            switch write.phase {
            case .waiting: .waiting(wait)
            case .sending: .sending
            case .unknown: .unknown
            case .parked: .parked
            case .conflict: .conflict
            }
        if wait == .otherUser, write.phase != .sending {
            state = .waiting(wait)
        } else if wait == .declaration, case .waiting = state {
            let error = registry.collection(place.key)?.declarationError
            failure = error.map { OutboxEntry.Failure(summary: "\($0)") } ?? .missingDeclaration(of: place.template)
            isUndeclared = true
            state = registry.hasSynchronized ? (write.isPossiblyApplied ? .unknown : .parked) : .waiting(wait)
        }
        return OutboxEntry(
            id: write.number,
            operation: write.operation.entryOperation,
            user: place.key.user.isEmpty ? nil : place.key.user,
            template: place.template,
            itemID: id,
            state: state,
            attempts: write.attempts,
            isPossiblyApplied: write.isPossiblyApplied,
            failure: failure,
            content: write.content,
            serverVersion: write.theirs,
            isUndeclared: isUndeclared
        )
    }

    /// Whether a synchronization has run, but the program has not declared a collection.
    func isUndeclared(_ place: CollectionPlace) -> Bool {
        registry.hasSynchronized && registry.sender(of: place) == nil
    }

    /// Returns the outbox entry of a write, for use in an event.
    func entry(of claimed: ClaimedWrite) async throws(StoreError) -> OutboxEntry {
        let (write, id) = try await read { (connection) throws(StoreError) -> (OutboxWrite?, String?) in
            (
                try connection.outboxWrite(claimed.write.number),
                try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(claimed.row.number)]) {
                    $0.text(0)
                }
            )
        }
        let shown = write ?? claimed.write
        let wait = shown.notBefore.map { OutboxEntry.Wait.until($0) } ?? .turn
        let collection = claimed.collection
        let place = CollectionPlace(
            key: collection.key,
            address: collection.address,
            template: collection.template
        )
        return entry(shown, place, id ?? claimed.row.id, registry.isActive(collection) ? wait : .otherUser)
    }
}
