import Waybill
import WaybillSystem

/// The consequences of a response for later requests.
struct Conclusion: Sendable {
    /// The writes that can be sent again immediately: individually after a failed batch, or after a conflict.
    var again: [Int64] = []

    /// Whether the writes were in conflict.
    var isConflict = false

    /// The reply, if the call failed.
    var reply: OutboxReply?
}

// Applying a response to the writes of its request.
extension StoreCore {
    /// Stores the result of a request.
    ///
    /// - Parameters:
    ///   - claimed: the request.
    ///   - sent: the outcome of sending it.
    /// - Returns: the consequences.
    /// - Throws: the error of the database. This method can be called again afterwards.
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
            let summary = "the response to a batch does not match what was sent: \(reason)"
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
        // All writes of a request wait until the same date, so that they stay in one request.
        let date = now + wait(after: reply, attempts: claimed.first.write.attempts)
        let (consequence, reports) = try await write { (store) throws(StoreError) in
            try store.take(reply, failure, of: claimed, until: date)
        }
        if let error { for number in claimed.numbers { keep(error, of: number) } }
        for report in reports { events.publish(.conflict(report)) }
        switch consequence {
        case .done:
            for write in claimed.writes { try await finish(write, SentWrite(document: nil, entityTag: nil)) }
        case .compares where claimed.writes.count == 1:
            return try await meet(claimed.first, after: error)
        case .compares:
            return Conclusion(again: claimed.numbers)
        case .becomes(let life):
            if life.phase == .parked, claimed.writes.count > 1 { return Conclusion(again: claimed.numbers) }
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

    private func wait(after reply: OutboxReply, attempts: Int) -> TimeInterval {
        let own = settings.backoff.wait(afterAttempt: max(1, attempts), fraction: random.fraction)
        // The backoff is added, so that clients with the same `Retry-After` do not retry at the same moment.
        return (reply.wait?.timeInterval ?? 0) + own.timeInterval
    }

    /// Reads the server's version after a conflict, and applies the conflict rule of the collection.
    private func meet(_ claimed: ClaimedWrite, after error: APIError?) async throws(StoreError) -> Conclusion {
        let theirs: Result<SentWrite, APIError>
        do throws(APIError) { theirs = .success(try await read(claimed)) } catch { theirs = .failure(error) }
        switch theirs {
        case .success(let version):
            try await meet(claimed, version, after: error)
            return Conclusion(again: [claimed.write.number], isConflict: true)
        case .failure(let unread):
            // The next attempt detects the conflict again.
            let date = now + wait(after: OutboxReply(.later), attempts: claimed.write.attempts)
            try await write { (store) throws(StoreError) in
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { return }
                write.phase = .waiting
                write.notBefore = date
                write.failure = OutboxEntry.Failure(unread)
                try store.save(&write)
            }
            keep(unread, of: claimed.write.number)
            events.publish(.delayed(try await entry(of: claimed)))
            return Conclusion()
        }
    }

    /// Reads an item again if a synchronization fetched a different version during the request, because that version
    /// may be newer than the response.
    private func newerVersion(of claimed: ClaimedWrite, than sent: SentWrite) async -> SentWrite? {
        let newest = try? await read { (connection) throws(StoreError) in
            try connection.outboxWrite(claimed.write.number)?.newest
        }
        guard newest.flatMap({ $0 }) != nil, let document = sent.document, let id = claimed.collection.id(of: document)
        else { return nil }
        var claimed = claimed
        claimed.row.id = id.text
        claimed.row.document = document
        return try? await read(claimed)
    }

    // MARK: Success

    /// Applies the effect of a write.
    func finish(_ claimed: ClaimedWrite, _ sent: SentWrite) async throws(StoreError) {
        let now = now
        let isFinished = try await write { (store) throws(StoreError) in try store.finish(claimed, sent, at: now) }
        noteSettled(claimed.row.number)
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
                    if let request = write.request { try store.leave(request, &write) }
                    write.phase = .parked
                    write.failure = OutboxEntry.Failure(item)
                    try store.save(&write)
                case nil: continue
                }
            }
            return finished
        }
        for claimed in claimed.writes {
            noteSettled(claimed.row.number)
            try await report(claimed, isSent: finished.contains(claimed.write.number))
        }
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
