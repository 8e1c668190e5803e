import Waybill
import WaybillSystem

/// The consequences of a reply for later requests.
struct Conclusion: Sendable {
    /// The writes to send again immediately, individually after a failed batch or because of a conflict.
    var again: [Int64] = []

    /// Whether the writes were in conflict.
    var isConflict = false

    /// The reply to a failed call; nil if the call succeeded.
    var reply: OutboxReply?
}

// Applying a reply to the writes of its request.
extension StoreCore {
    /// Stores the outcome of a request.
    ///
    /// - Parameters:
    ///   - claimed: the request.
    ///   - sent: the outcome.
    /// - Returns: the consequences.
    /// - Throws: a database error. This method can be called again afterwards.
    func conclude(_ claimed: ClaimedRequest, _ sent: SentRequest) async throws(StoreError) -> Conclusion {
        switch sent {
        case .write(let write):
            let newer = await newerVersion(of: claimed.first, than: write)
            try await finish(claimed.first, newer ?? write)
            return Conclusion()
        case .batch(let results):
            try await finish(claimed, results)
            return Conclusion()
        case .mismatch(let reason):
            let summary =
                "the response does not match the batch: \(reason); the server may have applied the writes:"
                + " confirm the entries if it did; otherwise retry or discard them"
            return try await conclude(
                claimed,
                OutboxReply(.unreadable),
                OutboxEntry.Failure(summary: summary),
                error: nil
            )
        case .failed(let error):
            let reply = OutboxReply(error, of: claimed.operation, now: now)
            var conclusion = try await conclude(claimed, reply, OutboxEntry.Failure(error), error: error)
            conclusion.reply = reply
            return conclusion
        }
    }

    /// Applies an unsuccessful reply to a request.
    func conclude(
        _ claimed: ClaimedRequest,
        _ reply: OutboxReply,
        _ failure: OutboxEntry.Failure,
        error: APIError?
    ) async throws(StoreError) -> Conclusion {
        // All writes of a request are retried at the same date, so that they stay in one request.
        let date = now + retryDelay(after: reply, attempts: claimed.first.write.attempts)
        let (consequence, reports) = try await write { (store) throws(StoreError) in
            try store.apply(reply, failure, to: claimed, retryAt: date)
        }
        if let error { for number in claimed.numbers { recordError(error, of: number) } }
        for report in reports { events.publish(.conflict(report)) }
        switch consequence {
        case .done:
            for write in claimed.writes { try await finish(write, SentWrite(document: nil, entityTag: nil)) }
        case .compares where claimed.writes.count == 1:
            return try await readAndResolveConflict(of: claimed.first, after: error)
        case .compares:
            return Conclusion(again: claimed.numbers)
        case .becomes(let state):
            if state.phase == .parked, claimed.writes.count > 1 { return Conclusion(again: claimed.numbers) }
            for write in claimed.writes {
                let entry = try await entry(of: write)
                if entry.state.needsAttention {
                    events.publish(.needsAttention(entry))
                } else {
                    events.publish(reply.kind == .unauthorized ? .signedOut(entry) : .delayed(entry))
                }
            }
        }
        return Conclusion()
    }

    /// Returns the seconds until the next attempt: the requested delay plus the backoff.
    func retryDelay(after reply: OutboxReply, attempts: Int) -> TimeInterval {
        let backoff = settings.backoff.wait(afterAttempt: max(1, attempts), fraction: random.fraction)
        // Add the backoff so that clients with the same `Retry-After` do not retry simultaneously.
        return (reply.retryDelay?.timeInterval ?? 0) + backoff.timeInterval
    }

    // MARK: Success

    /// Stores the result of a write, and reports it.
    func finish(_ claimed: ClaimedWrite, _ sent: SentWrite) async throws(StoreError) {
        let now = now
        let isFinished = try await write { (store) throws(StoreError) in try store.finish(claimed, sent, at: now) }
        recordUpdate(of: claimed.row.number)
        try await report(claimed, isSent: isFinished)
    }

    private func report(_ claimed: ClaimedWrite, isSent: Bool) async throws(StoreError) {
        let entry = try await entry(of: claimed)
        if isSent {
            events.publish(.sent(entry))
        } else if entry.state.needsAttention {
            events.publish(.needsAttention(entry))
        }
    }

    private func finish(
        _ claimed: ClaimedRequest,
        _ results: [Result<SentWrite, APIError.ItemsFailure.Item>]
    ) async throws(StoreError) {
        let now = now
        let pairs = zip(claimed.request?.writes ?? [], results)
        let byNumber = Dictionary(pairs.map { ($0, $1) }) { first, _ in first }
        let finished = try await write { (store) throws(StoreError) -> [Int64] in
            var finished: [Int64] = []
            for claimed in claimed.writes {
                switch byNumber[claimed.write.number] {
                case .success(let sent):
                    if try store.finish(claimed, sent, at: now) { finished.append(claimed.write.number) }
                case .failure(let item):
                    guard var write = try store.connection.outboxWrite(claimed.write.number) else { continue }
                    if let request = write.request { try store.detach(&write, from: request) }
                    write.phase = .parked
                    write.failure = OutboxEntry.Failure(item)
                    try store.save(&write)
                case nil: continue
                }
            }
            return finished
        }
        for claimed in claimed.writes {
            recordUpdate(of: claimed.row.number)
            try await report(claimed, isSent: finished.contains(claimed.write.number))
        }
    }
}

// Applying a reply to the tables.
extension StoreWrite {
    /// Applies an unsuccessful reply to the writes of a request.
    ///
    /// - Parameters:
    ///   - reply: the reply.
    ///   - failure: the failure to show in the entries.
    ///   - claimed: the request.
    ///   - date: the earliest date of the next attempt, if there is one.
    /// - Returns: the consequence for the writes, and the detected conflicts.
    /// - Throws: a database error.
    func apply(
        _ reply: OutboxReply,
        _ failure: OutboxEntry.Failure,
        to claimed: ClaimedRequest,
        retryAt date: Date
    ) throws(StoreError) -> (DeliveryState.Consequence, [StoreConflict]) {
        var request = try claimed.request.flatMap { (request) throws(StoreError) in
            try connection.request(request.number)
        }
        if reply.kind.isInconclusive { request?.inconclusive += 1 }
        let traits = request?.traits(isCreation: claimed.operation == .create, after: reply.kind) ?? .new
        let state = DeliveryState(phase: .sending, isPossiblyApplied: request?.losses ?? 0 > 0)
        let consequence = state.consequence(of: reply.kind, to: traits)
        guard case .becomes(let next) = consequence else {
            if let request { try removeRequest(request.number) }
            if claimed.writes.count > 1 { try sendIndividually(claimed) }
            return (consequence, [])
        }
        if var request {
            if next.isPossiblyApplied {
                switch reply.kind {
                case .lost, .failed, .unreadable: request.losses += 1
                default: break
                }
                try save(&request)
            } else {
                try removeRequest(request.number)
            }
        }
        if next.phase == .parked, claimed.writes.count > 1 {
            // A single write may have caused the rejection. Send each in a separate request, so that the others can
            // succeed.
            try sendIndividually(claimed)
            return (consequence, [])
        }
        var reports: [StoreConflict] = []
        for claimed in claimed.writes {
            guard var write = try connection.outboxWrite(claimed.write.number) else { continue }
            write.phase = next.phase
            write.failure = failure
            write.notBefore = next.phase == .waiting && reply.kind != .unauthorized ? date : nil
            write.isDelayedByServer = reply.retryDelay != nil
            try save(&write)
            guard var row = try connection.row(write.row) else { continue }
            if next.isPossiblyApplied {
                try applyPendingWrites(to: &row)
            } else if let report = try mergeNewestVersion(&write, &row, of: claimed.collection) {
                reports.append(report)
            }
        }
        return (consequence, reports)
    }

    /// Requeues the writes of a batch, to be sent in separate requests.
    private func sendIndividually(_ claimed: ClaimedRequest) throws(StoreError) {
        for claimed in claimed.writes {
            guard var write = try connection.outboxWrite(claimed.write.number) else { continue }
            write.reset()
            write.isAlone = true
            try save(&write)
        }
    }

    /// Merges the version fetched while a write may have been applied, now that the write is known not to have been
    /// applied; if there is no such version, updates the row.
    func mergeNewestVersion(
        _ write: inout OutboxWrite,
        _ row: inout StoredRow,
        of collection: any RegisteredCollection
    ) throws(StoreError) -> StoreConflict? {
        guard let newest = write.newest else {
            try applyPendingWrites(to: &row)
            return nil
        }
        write.newest = nil
        try save(&write)
        return try mergeServerVersion(newest.isNull ? nil : newest, entityTag: nil, into: &row, of: collection)
    }

    /// Removes an applied write, and updates its row to the server's version with the remaining pending writes applied.
    ///
    /// - Parameters:
    ///   - claimed: the write.
    ///   - sent: the result of the write.
    ///   - now: the current date.
    /// - Returns: true if the write was removed; false if it was no longer pending, or is a creation without an id in
    ///   the response.
    /// - Throws: a database error.
    func finish(_ claimed: ClaimedWrite, _ sent: SentWrite, at now: Date) throws(StoreError) -> Bool {
        guard var write = try connection.outboxWrite(claimed.write.number), var row = try connection.row(write.row)
        else { return false }
        let sent = sent.withReadableID(in: claimed.collection)
        let id = sent.document.flatMap { claimed.collection.id(of: $0) }
        if write.operation == .create, id == nil {
            if let number = write.request, var request = try connection.request(number) {
                request.losses += 1
                try save(&request)
            }
            write.phase = .unknown
            write.failure = OutboxEntry.Failure(
                summary: "the server's response has no id, but the item may exist: confirm the entry with the item's id"
            )
            try save(&write)
            return false
        }
        if let request = write.request { try detach(&write, from: request) }
        try remove(write)
        // A server that recognizes a repetition repeats its first response. A list may have returned a newer version
        // since then, and will not return it again.
        let other = try id.flatMap { (id) throws(StoreError) in try connection.row(id.text, in: row.collection) }
        let known = write.operation == .create ? other?.serverVersion : row.base
        let delta = claimed.collection.delta
        let isStale = known.flatMap { known in
            sent.document.map { delta?.isLater(known, than: $0) ?? (write.operation == .create) }
        }
        let current = isStale ?? false ? SentWrite(document: known, entityTag: nil) : sent
        // Rename the row before reading its writes, which may contain its id.
        if let id, id.text != row.id { try rename(&row, to: id.text, json: id.json) }
        let rest = try connection.outboxWrites(ofRow: row.number)
        row.entityTag = current.entityTag
        row.source = current.source ?? row.source
        row.fetched = now
        // Keep a walk that has already passed the item's position from treating the row as missing.
        row.generation = max(row.generation, try connection.generation(of: row.collection))
        guard let document = current.document else {
            row.base = nil
            row.document = rest.applied(to: nil) ?? row.document
            row.isDeleted = false
            try saveOrRemove(&row, pending: rest)
            return true
        }
        _ = try rebase(&row, rest, on: document)
        return true
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
