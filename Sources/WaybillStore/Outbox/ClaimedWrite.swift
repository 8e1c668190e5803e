import Waybill
import WaybillSystem

/// A write on its way to its server.
struct ClaimedWrite: Sendable {
    var write: OutboxWrite
    let row: StoredRow
    let collection: any RegisteredCollection

    /// The item before and after the write; nil if it is not there.
    let states: (before: JSONValue?, after: JSONValue?)

    /// The operation of a resource by which it is sent.
    var operation: On.Operation {
        guard write.batch ?? 0 > 0 else { return write.operation.declared }
        return write.operation.batched ?? write.operation.declared
    }

    /// Whether a repetition takes effect once: by its method, a key or a condition.
    var isRepeatable: Bool {
        hasCondition || collection.resource.hasIdempotencyKey(for: operation)
            || collection.resource.isIdempotent(operation)
    }

    /// Whether the server compares the version.
    var hasCondition: Bool { row.entityTag != nil && write.operation != .create }
}

/// The effect of a write on its server.
struct SentWrite: Sendable {
    /// The server's version; nil for a deletion.
    let document: JSONValue?

    /// The strong entity tag of that version.
    let entityTag: String?
}

extension OutboxWrite.Operation {
    /// The operation of a resource.
    var declared: On.Operation {
        switch self {
        case .create: .create
        case .update, .replace: .update
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// The operation on several items; nil without one, and if it would send members that were not changed.
    var batched: On.Operation? {
        switch self {
        case .create: .createBatch
        case .update: .updateBatch
        case .replace, .patch, .delete: nil
        }
    }
}

extension DocumentResource {
    /// Makes the call of a write.
    func send(_ claimed: ClaimedWrite) async throws(APIError) -> SentWrite {
        let (write, row) = (claimed.write, claimed.row)
        let resource = conditioned(
            for: write.operation.declared,
            key: write.key,
            entityTag: claimed.hasCondition ? row.entityTag : nil
        )
        let id = claimed.collection.operationID(of: row)
        switch write.operation {
        case .create: return SentWrite(try await resource.create(write.content).response())
        case .update, .replace:
            // An earlier attempt had its effect: the server's version, which came since then, has it.
            if write.attempts > 1, claimed.states.before == claimed.states.after {
                return SentWrite(document: claimed.states.after, entityTag: row.entityTag)
            }
            let item = write.operation == .replace ? write.content : claimed.states.after ?? write.content
            return SentWrite(try await resource.update(id, item).response())
        case .patch:
            let (before, after) = (claimed.states.before ?? .object([:]), claimed.states.after ?? .object([:]))
            guard let endpoint = try resource.patch(id, from: before, to: after) else {
                return SentWrite(document: after, entityTag: row.entityTag)
            }
            return SentWrite(try await endpoint.response())
        case .delete:
            _ = try await resource.delete(id).response()
            return SentWrite(document: nil, entityTag: nil)
        }
    }
}

extension SentWrite {
    init(_ response: Response<DocumentResource.Document>) {
        document = response.value.json
        entityTag = response.entityTag.flatMap { $0.isWeak ? nil : "\($0)" }
    }
}

extension StoreCore {
    /// Marks writes as under way, durably, before anything of them is sent.
    ///
    /// - Parameter numbers: a write, or several of one collection that are sent in one request.
    /// - Returns: the request; nil if none of them may be sent any more, or if their collection is not declared.
    /// - Throws: the error of the database.
    func claim(_ numbers: [Int64]) async throws(StoreError) -> ClaimedRequest? {
        let url = try await read { (connection) throws(StoreError) -> String? in
            guard let first = numbers.first, let write = try connection.outboxWrite(first) else { return nil }
            return try connection.url(ofCollection: write.collection)
        }
        guard let url, let collection = collection(at: url) else { return nil }
        _ = try await collection.number(in: self)
        let claimed = try await self.write { (store) throws(StoreError) -> [ClaimedWrite] in
            var claimed: [ClaimedWrite] = []
            for number in numbers {
                if let write = try store.claim(number, of: collection) {
                    claimed.append(write)
                }
            }
            // A server knows a batch by one key.
            guard let first = claimed.first?.write, first.batch ?? 0 > 0 || claimed.count > 1 else { return claimed }
            for index in claimed.indices where claimed[index].write.state == .sending {
                claimed[index].write.batch = first.batch ?? first.number
                claimed[index].write.key = first.key
                try store.save(&claimed[index].write)
            }
            return claimed
        }
        for write in claimed where write.write.state == .unknown {
            events.send(.needsAttention(try await entry(of: write)))
        }
        return ClaimedRequest(claimed.filter { $0.write.state == .sending })
    }

    /// Takes the effect of a write.
    func settle(_ claimed: ClaimedWrite, _ sent: SentWrite) async throws(StoreError) {
        let now = now
        let isSettled = try await write { (store) throws(StoreError) in try store.settle(claimed, sent, at: now) }
        noteSettled(claimed.row.number)
        if isSettled { events.send(.sent(try await entry(of: claimed))) }
    }

    /// Takes the failure of a write.
    func settle(
        _ claimed: ClaimedWrite,
        _ outcome: SendingOutcome,
        _ error: APIError,
        until date: Date? = nil
    ) async throws(StoreError) {
        switch outcome {
        case .gone: try await settle(claimed, SentWrite(document: nil, entityTag: nil))
        case .conflict: try await meet(claimed, error)
        case .wait, .signedOut, .parked, .unknown:
            let date = date ?? now + wait(after: outcome, attempts: claimed.write.attempts)
            let isPresent = try await write { (store) throws(StoreError) -> Bool in
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { return false }
                write.failure = OutboxEntry.Failure(error)
                switch outcome {
                case .wait(let asked):
                    write.state = .waiting
                    write.notBefore = date
                    write.isDelayedByServer = asked != nil
                case .signedOut: write.state = .waiting
                case .unknown: write.state = .unknown
                default: write.state = .parked
                }
                try store.save(&write)
                return true
            }
            guard isPresent else { return }
            keep(error, of: claimed.write.number)
            let entry = try await entry(of: claimed)
            switch outcome {
            case .parked, .unknown: events.send(.needsAttention(entry))
            case .signedOut: events.send(.signedOut(entry))
            default: events.send(.delayed(entry))
            }
        }
    }

    func wait(after outcome: SendingOutcome, attempts: Int) -> TimeInterval {
        let own = settings.backoff.wait(afterAttempt: max(1, attempts), fraction: random.fraction)
        // The backoff comes on top: clients that got the same time do not come back at the same moment.
        guard case .wait(let asked?) = outcome else { return own.timeInterval }
        return asked.timeInterval + own.timeInterval
    }

    /// Reads the server's version after a conflict, and decides by the rule of the collection.
    private func meet(_ claimed: ClaimedWrite, _ error: APIError) async throws(StoreError) {
        let theirs: SentWrite?
        do throws(APIError) {
            let id = claimed.collection.operationID(of: claimed.row)
            theirs = SentWrite(try await claimed.collection.resource.read(id).response())
        } catch {
            guard error.isNotFound else {
                // It is met again at the next attempt.
                return try await settle(claimed, .wait(nil), error)
            }
            theirs = nil
        }
        let report = try await write { (store) throws(StoreError) -> StoreConflict? in
            guard var write = try store.connection.outboxWrite(claimed.write.number),
                var row = try store.connection.row(write.row)
            else { return nil }
            write.state = .waiting
            // A server that says so again and again, with the version that it gave itself, rejects the write.
            let isNew = theirs?.document != row.base || theirs?.entityTag != row.entityTag
            if !isNew {
                write.state = .parked
                write.failure = OutboxEntry.Failure(error)
            }
            try store.save(&write)
            guard isNew else { return nil }
            return try store.take(
                theirs?.document,
                entityTag: theirs?.entityTag,
                into: &row,
                of: claimed.collection
            )
        }
        noteSettled(claimed.row.number)
        keep(error, of: claimed.write.number)
        if let report { events.send(.conflict(report)) }
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
