import Waybill
import WaybillSystem

/// A write claimed for sending, with its row at the time of the claim.
struct ClaimedWrite: Sendable {
    var write: OutboxWrite
    var row: StoredRow
    let collection: any RegisteredCollection

    /// The item before and after the write; nil if it does not exist.
    var states: (before: JSONValue?, after: JSONValue?) { (row.base, write.applied(to: row.base)) }

    /// The document of a creation or replacement, in which unchanged parts keep the bytes of the server's version.
    var document: JSONDocument {
        guard write.operation == .update, let after = states.after else { return JSONDocument(write.content) }
        return row.sourced(after)
    }

    /// Whether the write is conditional on the entity tag, so that the server compares versions.
    var hasCondition: Bool { row.entityTag != nil && write.operation != .create }

    /// Whether the item must be read before it is changed, to detect changes by other clients.
    var needsReading: Bool {
        guard collection.resource.isReadable, !hasCondition, write.operation != .create, row.base != nil else {
            return false
        }
        // `newest` is set if a synchronization has fetched a different version since an attempt with an unknown
        // outcome.
        return collection.conflictRule.readsBeforeWriting || repeatsMembers || write.newest != nil
    }

    /// Whether the write also sends unchanged members, whose values on the server may have changed.
    private var repeatsMembers: Bool {
        guard write.operation == .patch, let before = states.before else { return false }
        let id = collection.id(of: before)?.json
        return collection.resource.keptKeys.contains { key in
            before[key] != nil && before[key] != id && before[key] == states.after?[key]
        }
    }

    /// Whether a document already shows the effect of the write.
    func isShown(by document: JSONValue) -> Bool {
        write.operation != .delete && write.operation != .create && write.applied(to: document) == document
    }
}

extension OutboxWrite.Operation {
    /// The operation of the resource.
    var declared: On.Operation {
        switch self {
        case .create: .create
        case .update, .replace: .update
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// The batch operation; nil if there is no such operation, or if it would send unchanged members.
    var batched: On.Operation? {
        switch self {
        case .create: .createBatch
        case .update: .updateBatch
        case .replace, .patch, .delete: nil
        }
    }
}

/// A request of the outbox, for a single write or a batch of writes of one collection.
struct ClaimedRequest: Sendable {
    let first: ClaimedWrite
    private let others: [ClaimedWrite]

    /// The request to send; nil until the items have been read and compared.
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
    /// Creates the request for writes that have no request yet.
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
        guard let place, let collection = registry.sender(of: place), registry.isActive(collection) else { return nil }
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
            write.failure = .missingCapability(write.operation.entryOperation, of: collection.template)
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
