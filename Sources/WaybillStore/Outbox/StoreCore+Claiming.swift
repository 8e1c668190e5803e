import Waybill
import WaybillSystem

/// A write claimed for sending, with its row as of the claim.
struct ClaimedWrite: Sendable {
    var write: OutboxWrite
    var row: StoredRow
    let collection: any RegisteredCollection

    /// The item before and after the write; nil where it does not exist.
    var states: (before: JSONValue?, after: JSONValue?) { (row.base, write.applied(to: row.base)) }

    /// The document to send for a creation or replacement; unchanged parts keep the bytes of the server's version.
    var document: JSONDocument {
        guard write.operation == .update, let after = states.after else { return JSONDocument(write.content) }
        return row.withOriginalText(after)
    }

    /// Whether the write is conditional on an entity tag, so that the server detects conflicts.
    var hasCondition: Bool { row.entityTag != nil && write.operation != .create }

    /// Whether the item must be read first, to detect changes by other clients.
    var needsReading: Bool {
        guard collection.resource.isReadable, !hasCondition, write.operation != .create, row.base != nil else {
            return false
        }
        // `newest` is set if a different version was fetched after an attempt with an unknown outcome.
        return collection.conflictRule.readsBeforeWriting || sendsUnchangedMembers || write.newest != nil
    }

    /// Whether the write also sends unchanged members, which would overwrite changes by other clients.
    private var sendsUnchangedMembers: Bool {
        guard write.operation == .patch, let before = states.before else { return false }
        let id = collection.id(of: before)?.json
        return collection.resource.keptKeys.contains { key in
            before[key] != nil && before[key] != id && before[key] == states.after?[key]
        }
    }

    /// Whether a document already reflects the write.
    func isReflected(in document: JSONValue) -> Bool {
        write.operation != .delete && write.operation != .create && write.applied(to: document) == document
    }
}

extension OutboxWrite.Operation {
    /// The corresponding operation of the resource.
    var declared: On.Operation {
        switch self {
        case .create: .create
        case .update, .replace: .update
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// The corresponding batch operation; nil if it does not exist or would send unchanged members.
    var batched: On.Operation? {
        switch self {
        case .create: .createBatch
        case .update: .updateBatch
        case .replace, .patch, .delete: nil
        }
    }
}

/// A request claimed for sending, with a single write or with a batch of writes to one collection.
struct ClaimedRequest: Sendable {
    let first: ClaimedWrite
    private let others: [ClaimedWrite]

    /// The request to send; nil until its items have been read and compared.
    var request: OutboxRequest?

    /// Creates a request; returns nil if there are no writes.
    init?(_ writes: [ClaimedWrite], request: OutboxRequest?) {
        guard let first = writes.first else { return nil }
        self.first = first
        others = Array(writes.dropFirst())
        self.request = request
    }

    /// The writes that have not been discarded, in order.
    var writes: [ClaimedWrite] { [first] + others }

    var numbers: [Int64] { writes.map(\.write.number) }

    var operation: OutboxWrite.Operation { first.write.operation }

    var collection: any RegisteredCollection { first.collection }
}

extension OutboxRequest {
    /// Creates a request for writes that have none.
    init(_ writes: [ClaimedWrite], first: ClaimedWrite, key: String) {
        let (resource, operation) = (first.collection.resource, first.write.operation)
        let isBatch = writes.count > 1
        let documents: [JSONDocument] =
            switch operation {
            case .create, .replace, .update: (isBatch ? writes : [first]).map(\.document)
            case .patch:
                [first.states.before ?? .object([:]), first.states.after ?? .object([:])].map { JSONDocument($0) }
            case .delete: []
            }
        let declared = isBatch ? operation.batched ?? operation.declared : operation.declared
        let hasCondition = first.hasCondition && !isBatch
        let hasKey = resource.hasIdempotencyKey(for: declared)
        self.init(
            key: key,
            documents: documents.map { JSONDocument($0.value, source: $0.text) },
            entityTag: hasCondition ? first.row.entityTag : nil,
            writes: writes.map(\.write.number),
            isRepeatable: hasCondition || hasKey || resource.isIdempotent(declared),
            hasKey: hasKey
        )
    }
}

// Claiming writes, and creating their requests.
extension StoreCore {
    /// Durably marks writes as being sent, before they are sent.
    ///
    /// - Parameter numbers: a write, or several writes to one collection that belong in one request.
    /// - Returns: the request; nil if none of the writes can be sent now, or if their collection is not declared.
    /// - Throws: a database error.
    func claim(_ numbers: [Int64]) async throws(StoreError) -> ClaimedRequest? {
        let record = try await read { (connection) throws(StoreError) -> CollectionRecord? in
            guard let first = numbers.first, let write = try connection.outboxWrite(first) else { return nil }
            return try connection.collectionRecord(write.collection)
        }
        guard let record, let collection = registry.sender(of: record), registry.isActive(collection) else {
            return nil
        }
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
        return try await createRequest(for: sending, key: key)
    }

    /// Creates and saves the request of claimed writes, so that repetitions are identical.
    func createRequest(
        for writes: [ClaimedWrite],
        key: String? = nil
    ) async throws(StoreError) -> ClaimedRequest? {
        let key = key ?? newKey()
        return try await write { (store) throws(StoreError) in
            guard let first = writes.first else { return nil }
            var request = OutboxRequest(writes, first: first, key: key)
            try store.save(&request)
            var members: [ClaimedWrite] = []
            for var claimed in writes {
                guard try store.connection.outboxWrite(claimed.write.number) != nil else { continue }
                if let known = claimed.write.request { try store.detach(&claimed.write, from: known) }
                claimed.write.request = request.number
                try store.save(&claimed.write)
                members.append(claimed)
            }
            return ClaimedRequest(members, request: request)
        }
    }
}

extension StoreWrite {
    /// Marks a write as being sent, or as unknown if a repetition could take effect twice.
    ///
    /// If the resource no longer declares the operation, parks the write or marks it as unknown.
    ///
    /// - Parameters:
    ///   - number: the write.
    ///   - collection: the collection of the write.
    /// - Returns: the write; nil if it is not waiting, or if an earlier write to its row is pending.
    /// - Throws: a database error.
    fileprivate func claim(
        _ number: Int64,
        of collection: any RegisteredCollection
    ) throws(StoreError) -> ClaimedWrite? {
        guard var write = try connection.outboxWrite(number), write.phase == .waiting,
            let row = try connection.row(write.row),
            try connection.outboxWrites(ofRow: row.number).first?.number == number
        else { return nil }
        let request = try write.request.flatMap { (request) throws(StoreError) in try connection.request(request) }
        let traits = request?.traits(isCreation: write.operation == .create) ?? .new
        write.phase = write.deliveryState.claimed(traits).phase
        write.notBefore = nil
        write.isDelayedByServer = false
        if !collection.resource.writes.contains(write.operation.declared) {
            // An earlier attempt may have been applied.
            write.phase = write.isPossiblyApplied ? .unknown : .parked
            write.failure = .missingCapability(write.operation.entryOperation, of: collection.template)
        } else if write.phase == .sending {
            write.attempts += 1
        } else if write.failure == nil {
            write.failure = OutboxEntry.Failure(
                summary: "the app ended before the response arrived, and the server may have applied the write:"
                    + " confirm the entry if it did; otherwise retry it"
            )
        }
        try save(&write)
        return ClaimedWrite(write: write, row: row, collection: collection)
    }
}

extension StoreWrite {
    /// Requeues entries marked as being sent in the database that are not in flight.
    func requeueStranded(except inFlight: Set<Int64>) throws(StoreError) {
        let numbers = try connection.query("SELECT number FROM outbox WHERE state = 'sending'", []) {
            $0.integer(0) ?? 0
        }
        for number in numbers where !inFlight.contains(number) {
            guard var write = try connection.outboxWrite(number) else { continue }
            write.phase = .waiting
            if let request = write.request, try connection.request(request)?.losses == 0 {
                try detach(&write, from: request)
            }
            try save(&write)
        }
    }
}

extension DeliveryState.RequestTraits {
    /// The traits of a write without a request.
    static let new = DeliveryState.RequestTraits(isRepeatable: true, hasKey: false, isCreation: false)
}
