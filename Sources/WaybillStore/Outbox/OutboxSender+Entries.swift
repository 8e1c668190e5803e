import Waybill
import WaybillSystem

extension OutboxSender {
    /// Checks that an entry belongs to the store's current user, because users must not decide about each other's
    /// entries.
    ///
    /// The check passes if there is no such entry.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/otherUser(_:)``.
    nonisolated func checkUser(of id: OutboxEntry.ID) async throws(StoreError) {
        let user = try await core.read { (connection) throws(StoreError) -> String? in
            guard let write = try connection.outboxWrite(id) else { return nil }
            return try connection.collectionRecord(write.collection)?.key.user
        }
        if let user, !core.registry.activeUsers.contains(user) { throw .otherUser(user) }
    }

    /// Returns all outbox entries, each with its state.
    func entries() async throws(StoreError) -> [OutboxEntry] {
        try await entries { (_, _, entry) in entry }
    }

    /// Reads outbox entries in one snapshot, and transforms them.
    ///
    /// - Parameters:
    ///   - collection: the number of a collection; nil for the entries of all collections.
    ///   - transform: transforms a write and its entry.
    /// - Returns: the results, in the order of the writes.
    /// - Throws: a database error, or an error of the closure.
    func entries<Value: Sendable>(
        ofCollection collection: Int64? = nil,
        _ transform: @escaping @Sendable (Connection, OutboxWrite, OutboxEntry) throws(StoreError) -> Value
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
            let records = try connection.collectionRecordsByNumber()
            var declared: [Int64: Bool] = [:]
            for number in Set(writes.map(\.collection)) {
                declared[number] = records[number].flatMap { core.registry.sender(of: $0) } != nil
            }
            return try writes.map { (write) throws(StoreError) in
                let id = try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(write.row)]) {
                    $0.text(0)
                }
                guard let record = records[write.collection] else {
                    throw .corrupt("a pending write belongs to a missing collection")
                }
                let wait: OutboxEntry.Wait =
                    if !users.contains(record.key.user) {
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
                return try transform(connection, write, core.entry(write, record, id ?? "", wait))
            }
        }
    }

    /// Counts the pending writes, and publishes the outbox's status if it has changed.
    func reportStatus() async {
        let (core, users) = (core, core.registry.activeUsers)
        statusNumbers.started += 1
        let number = statusNumbers.started
        let counts = try? await core.read { (connection) throws(StoreError) -> [String: Int] in
            let records = try connection.collectionRecordsByNumber()
            let sql = "SELECT state, collection, count FROM outbox_states"
            let rows = try connection.query(sql, []) { row -> (String, Int)? in
                let (state, count) = (row.text(0) ?? "", Int(row.integer(2) ?? 0))
                guard let record = records[row.integer(1) ?? 0], users.contains(record.key.user) else { return nil }
                return (core.isUndeclared(record) ? DeliveryState.Phase.parked.rawValue : state, count)
            }
            return Dictionary(rows, uniquingKeysWith: +)
        }
        // A more recent count may have finished first.
        guard let counts, number > statusNumbers.reported else { return }
        statusNumbers.reported = number
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
    /// Returns the outbox entry of a write.
    ///
    /// - Parameters:
    ///   - write: the write.
    ///   - record: the record of its collection.
    ///   - id: the id of its item.
    ///   - wait: the reason why it is waiting, if it is.
    /// - Returns: the entry.
    func entry(
        _ write: OutboxWrite,
        _ record: CollectionRecord,
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
            let error = registry.collection(record.key)?.declarationError
            failure = error.map { OutboxEntry.Failure(summary: "\($0)") } ?? .missingDeclaration(of: record.template)
            isUndeclared = true
            state = registry.hasSynchronized ? (write.isPossiblyApplied ? .unknown : .parked) : .waiting(wait)
        }
        return OutboxEntry(
            id: write.number,
            operation: write.operation.entryOperation,
            user: record.key.user.isEmpty ? nil : record.key.user,
            template: record.template,
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

    /// Whether the app has synchronized without declaring a collection.
    func isUndeclared(_ record: CollectionRecord) -> Bool {
        registry.hasSynchronized && registry.sender(of: record) == nil
    }

    /// Returns the current outbox entry of a claimed write, for an event.
    func entry(of claimed: ClaimedWrite) async throws(StoreError) -> OutboxEntry {
        let (write, id) = try await read { (connection) throws(StoreError) -> (OutboxWrite?, String?) in
            (
                try connection.outboxWrite(claimed.write.number),
                try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(claimed.row.number)]) {
                    $0.text(0)
                }
            )
        }
        let current = write ?? claimed.write
        let wait = current.notBefore.map { OutboxEntry.Wait.until($0) } ?? .turn
        let collection = claimed.collection
        let record = CollectionRecord(
            key: collection.key,
            address: collection.address,
            template: collection.template
        )
        return entry(current, record, id ?? claimed.row.id, registry.isActive(collection) ? wait : .otherUser)
    }
}
