import Waybill
import WaybillSystem

/// A write on its way to its server.
struct ClaimedWrite: Sendable {
    let write: OutboxWrite
    let row: StoredRow
    let collection: any RegisteredCollection

    /// The item before and after the write; nil if it is not there.
    let states: (before: JSONValue?, after: JSONValue?)

    /// Whether a repetition takes effect once: by its method, a key or a condition.
    var isRepeatable: Bool {
        let operation = write.operation.declared
        return hasCondition || collection.resource.hasIdempotencyKey(for: operation)
            || collection.resource.isIdempotent(operation)
    }

    fileprivate func with(_ write: OutboxWrite) -> ClaimedWrite {
        ClaimedWrite(write: write, row: row, collection: collection, states: states)
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
    /// Marks a write as under way, durably, before anything of it is sent.
    ///
    /// - Returns: the write; nil if it may not be sent any more, or if its collection is not declared.
    func claim(_ number: Int64) async throws(StoreError) -> ClaimedWrite? {
        let url = try await read { (connection) throws(StoreError) -> String? in
            guard let write = try connection.outboxWrite(number) else { return nil }
            return try connection.url(ofCollection: write.collection)
        }
        guard let url, let collection = collection(at: url) else { return nil }
        _ = try await collection.number(in: self)
        let claimed = try await self.write { (store) throws(StoreError) -> ClaimedWrite? in
            guard var write = try store.connection.outboxWrite(number), write.isSendable,
                let row = try store.connection.row(write.row)
            else { return nil }
            let writes = try store.connection.outboxWrites(ofRow: row.number)
            guard writes.first?.number == number else { return nil }
            let wasInterrupted = write.state == .interrupted
            write.state = .sending
            write.notBefore = nil
            write.isDelayedByServer = false
            let claimed = ClaimedWrite(
                write: write,
                row: row,
                collection: collection,
                states: (row.base, write.applied(to: row.base))
            )
            if wasInterrupted, !claimed.isRepeatable {
                write.state = .unknown
                write.failure = OutboxEntry.Failure(summary: "the program ended before the response came")
            } else {
                write.attempts += 1
            }
            try store.save(&write)
            return claimed.with(write)
        }
        guard let claimed else { return nil }
        if claimed.write.state == .sending { return claimed }
        events.send(.needsAttention(try await entry(of: claimed)))
        return nil
    }

    /// Takes the effect of a write: its row is what the server has, with the writes that are still pending.
    func settle(_ claimed: ClaimedWrite, _ sent: SentWrite) async throws(StoreError) {
        let now = now
        let id = sent.document.flatMap { claimed.collection.id(of: $0) }
        let isSettled = try await write { (store) throws(StoreError) -> Bool in
            guard let write = try store.connection.outboxWrite(claimed.write.number),
                var row = try store.connection.row(write.row)
            else { return false }
            if write.operation == .create, id == nil {
                var write = write
                write.state = .unknown
                write.failure = OutboxEntry.Failure(summary: "the server's response has no id of the new item")
                try store.save(&write)
                return false
            }
            try store.remove(write)
            // The row itself is renamed before its writes are read: their contents may have its id.
            if let id, id.text != row.id { try store.rename(&row, to: id.text, json: id.json) }
            let rest = try store.connection.outboxWrites(ofRow: row.number)
            row.entityTag = sent.entityTag
            row.fetched = now
            guard let document = sent.document else {
                row.base = nil
                row.document = rest.applied(to: nil) ?? row.document
                row.isDeleted = false
                try store.settle(&row, pending: rest)
                return true
            }
            _ = try store.rebase(&row, rest, on: document)
            return true
        }
        noteSettled(claimed.row.number)
        if isSettled { events.send(.sent(try await entry(of: claimed))) }
    }

    /// Takes the failure of a write.
    func settle(
        _ claimed: ClaimedWrite,
        _ outcome: SendingOutcome,
        _ error: APIError
    ) async throws(StoreError) {
        switch outcome {
        case .gone: try await settle(claimed, SentWrite(document: nil, entityTag: nil))
        case .conflict: try await meet(claimed, error)
        case .wait, .signedOut, .parked, .unknown:
            let wait = wait(after: outcome, attempts: claimed.write.attempts)
            let now = now
            let isPresent = try await write { (store) throws(StoreError) -> Bool in
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { return false }
                write.failure = OutboxEntry.Failure(error)
                switch outcome {
                case .wait(let asked):
                    write.state = .waiting
                    write.notBefore = now + wait
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

    private func wait(after outcome: SendingOutcome, attempts: Int) -> TimeInterval {
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
