import Waybill
import WaybillSystem

/// One request of the outbox: a write, or several of one collection as a batch.
struct ClaimedRequest: Sendable {
    let first: ClaimedWrite
    private let others: [ClaimedWrite]

    /// Creates a request; nil without a write.
    init?(_ writes: [ClaimedWrite]) {
        guard let first = writes.first else { return nil }
        self.first = first
        others = Array(writes.dropFirst())
    }

    /// The writes, in their order.
    var writes: [ClaimedWrite] { [first] + others }

    /// Whether it is sent by an operation on several items.
    var isBatch: Bool { first.write.batch ?? 0 > 0 }
}

/// The effect of a batch on its server, write by write, in their order.
struct SentBatch: Sendable {
    let results: [Result<SentWrite, APIError.ItemsFailure.Item>]

    /// Matches the ordered response to what was sent.
    ///
    /// - Parameters:
    ///   - results: the items of the response.
    ///   - request: the request.
    /// - Throws: ``Mismatch`` if the response cannot be that of these writes; nothing is taken from it then.
    init(
        _ results: [Result<DocumentResource.Document, APIError.ItemsFailure.Item>],
        to request: ClaimedRequest
    ) throws(Mismatch) {
        let writes = request.writes
        guard results.count == writes.count else {
            throw Mismatch(reason: "it has \(results.count) items, and \(writes.count) were sent")
        }
        var ids: Set<String> = []
        for (write, result) in zip(writes, results) {
            guard case .success(let document) = result else { continue }
            guard let id = write.collection.id(of: document.json)?.text else {
                throw Mismatch(reason: "an item has no id")
            }
            guard ids.insert(id).inserted else { throw Mismatch(reason: "two items have the id \(id)") }
            guard write.write.operation == .create || id == write.row.id else {
                throw Mismatch(reason: "the item \(id) stands in the place of the item \(write.row.id)")
            }
        }
        self.results = results.map { $0.map { SentWrite(document: $0.json, entityTag: nil) } }
    }

    /// A response to a batch that does not match what was sent.
    struct Mismatch: Error {
        let reason: String
    }
}

extension StoreCore {
    /// Makes the call of a batch, and takes its effect: all of it in one transaction.
    ///
    /// - Parameter batch: the batch.
    /// - Returns: the error, and the numbers of the writes that are to be sent alone, because the server rejected the
    ///   batch as a whole.
    /// - Throws: the error of the database.
    func send(_ batch: ClaimedRequest) async throws(StoreError) -> (error: APIError?, alone: [Int64]) {
        let write = batch.first
        let resource = write.collection.resource.conditioned(
            for: write.operation,
            key: write.write.key,
            entityTag: nil
        )
        let documents = batch.writes.map { write in
            write.write.operation == .create ? write.write.content : write.states.after ?? write.write.content
        }
        let results: [Result<DocumentResource.Document, APIError.ItemsFailure.Item>]
        do throws(APIError) {
            results = try await resource.batch(write.operation, documents).send()
        } catch {
            return (error, try await settle(batch, error))
        }
        try await settle(batch, results)
        return (nil, [])
    }

    private func settle(
        _ batch: ClaimedRequest,
        _ results: [Result<DocumentResource.Document, APIError.ItemsFailure.Item>]
    ) async throws(StoreError) {
        let sent: SentBatch
        do throws(SentBatch.Mismatch) {
            sent = try SentBatch(results, to: batch)
        } catch {
            let summary = "the response to a batch does not match what was sent: \(error.reason)"
            return try await change(batch.writes) { (write) in
                write.state = .unknown
                write.failure = OutboxEntry.Failure(summary: summary)
            }
        }
        let (now, pairs) = (now, Array(zip(batch.writes, sent.results)))
        let settled = try await write { (store) throws(StoreError) -> [Int64] in
            var settled: [Int64] = []
            for (claimed, result) in pairs {
                switch result {
                case .success(let sent):
                    if try store.settle(claimed, sent, at: now) { settled.append(claimed.write.number) }
                case .failure(let item):
                    guard var write = try store.connection.outboxWrite(claimed.write.number) else { continue }
                    write.state = .parked
                    write.batch = nil
                    write.failure = OutboxEntry.Failure(item)
                    try store.save(&write)
                }
            }
            return settled
        }
        for claimed in batch.writes {
            noteSettled(claimed.row.number)
            let entry = try await entry(of: claimed)
            events.send(settled.contains(claimed.write.number) ? .sent(entry) : .needsAttention(entry))
        }
    }

    /// Takes the failure of a batch as a whole.
    private func settle(_ batch: ClaimedRequest, _ error: APIError) async throws(StoreError) -> [Int64] {
        let outcome = SendingOutcome(
            error,
            of: batch.first.write.operation,
            isRepeatable: batch.first.isRepeatable,
            now: now
        )
        switch outcome {
        case .gone, .conflict, .parked:
            // One of them may be the reason: alone, each meets its own response, and the others go on.
            let keys = batch.writes.map { _ in newKey() }
            for (claimed, key) in zip(batch.writes, keys) {
                try await change([claimed]) { write in
                    write.makeNew(key: key)
                    write.batch = 0
                }
            }
            return batch.writes.map(\.write.number)
        case .wait, .signedOut, .unknown:
            // One wait for all: they stay one batch.
            let wait = wait(after: outcome, attempts: batch.first.write.attempts)
            let date = now + wait
            for claimed in batch.writes { try await settle(claimed, outcome, error, until: date) }
            return []
        }
    }

    private func change(
        _ claimed: [ClaimedWrite],
        _ body: @escaping @Sendable (inout OutboxWrite) -> Void
    ) async throws(StoreError) {
        try await write { (store) throws(StoreError) in
            for claimed in claimed {
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { continue }
                body(&write)
                try store.save(&write)
            }
        }
        for claimed in claimed {
            let entry = try await entry(of: claimed)
            if entry.state.needsAttention { events.send(.needsAttention(entry)) }
        }
    }
}
