import Waybill
import WaybillSystem

// Claiming writes and forming their requests.
extension StoreCore {
    /// Durably marks writes as being sent, before anything is sent.
    ///
    /// - Parameter numbers: a write, or several writes of one collection to send in one request.
    /// - Returns: the request; nil if none of the writes can be sent now, or if their collection is not declared.
    /// - Throws: the error of the database.
    func claim(_ numbers: [Int64]) async throws(StoreError) -> ClaimedRequest? {
        let place = try await read { (connection) throws(StoreError) -> CollectionPlace? in
            guard let first = numbers.first, let write = try connection.outboxWrite(first) else { return nil }
            return try connection.place(ofCollection: write.collection)
        }
        guard let place, let collection = registry.sender(of: place), registry.isServed(collection) else { return nil }
        do throws(StoreError) { _ = try await collection.number(in: self) } catch {
            // The store has been switched to another user.
            if case .otherUser = error { return nil }
            throw error
        }
        let key = newKey()
        let claimed = try await write { (store) throws(StoreError) -> [ClaimedWrite] in
            var claimed: [ClaimedWrite] = []
            for number in numbers {
                if let write = try store.claim(number, of: collection) { claimed.append(write) }
            }
            return claimed
        }
        for write in claimed where write.write.phase != .sending {
            events.publish(.needsAttention(try await entry(of: write)))
        }
        let sending = claimed.filter { $0.write.phase == .sending }
        guard let first = sending.first else { return nil }
        if let number = first.write.request {
            let request = try await read { (connection) throws(StoreError) in try connection.request(number) }
            return ClaimedRequest(sending, request: request)
        }
        guard !sending.contains(where: \.needsReading) else { return ClaimedRequest(sending, request: nil) }
        return try await form(sending, key: key)
    }

    /// Forms the request of claimed writes and saves it, so that a repetition is identical.
    func form(_ writes: [ClaimedWrite], key: String? = nil) async throws(StoreError) -> ClaimedRequest? {
        let key = key ?? newKey()
        return try await write { (store) throws(StoreError) in
            guard let first = writes.first else { return nil }
            var request = OutboxRequest(writes, first: first, key: key)
            try store.save(&request)
            var formed: [ClaimedWrite] = []
            for var claimed in writes {
                guard try store.connection.outboxWrite(claimed.write.number) != nil else { continue }
                if let known = claimed.write.request { try store.leave(known, &claimed.write) }
                claimed.write.request = request.number
                try store.save(&claimed.write)
                formed.append(claimed)
            }
            return ClaimedRequest(formed, request: request)
        }
    }
}

extension StoreWrite {
    /// Marks a write as being sent, or as unknown if a repetition could take effect twice.
    ///
    /// - Parameters:
    ///   - number: the write.
    ///   - collection: the collection of the write.
    /// - Returns: the write; nil if it can no longer be sent.
    /// - Throws: the error of the database.
    fileprivate func claim(
        _ number: Int64,
        of collection: any RegisteredCollection
    ) throws(StoreError) -> ClaimedWrite? {
        guard var write = try connection.outboxWrite(number), write.phase == .waiting,
            let row = try connection.row(write.row),
            try connection.outboxWrites(ofRow: row.number).first?.number == number
        else { return nil }
        let request = try write.request.flatMap { (request) throws(StoreError) in try connection.request(request) }
        write.phase = write.life.claimed(request?.facts(isCreation: write.operation == .create) ?? .new).phase
        write.notBefore = nil
        write.isDelayedByServer = false
        if !collection.resource.writes.contains(write.operation.declared) {
            // An earlier attempt may have been applied.
            write.phase = write.isPossiblyApplied ? .unknown : .parked
            write.failure = .missingCapability(write.operation.shown, of: collection.template)
        } else if write.phase == .sending {
            write.attempts += 1
        } else if write.failure == nil {
            write.failure = OutboxEntry.Failure(summary: "the program ended before the response came")
        }
        try save(&write)
        return ClaimedWrite(write: write, row: row, collection: collection)
    }
}

extension StoreWrite {
    /// Requeues entries that the database marks as being sent although they are not in flight.
    func freeStranded(except underWay: Set<Int64>) throws(StoreError) {
        let numbers = try connection.query("SELECT number FROM outbox WHERE state = 'sending'", []) {
            $0.integer(0) ?? 0
        }
        for number in numbers where !underWay.contains(number) {
            guard var write = try connection.outboxWrite(number) else { continue }
            write.phase = .waiting
            if let request = write.request, try connection.request(request)?.losses == 0 { try leave(request, &write) }
            try save(&write)
        }
    }
}

extension EntryLife.Request {
    /// The facts about a write without a request.
    static let new = EntryLife.Request(isRepeatable: true, hasKey: false, isCreation: false)
}
