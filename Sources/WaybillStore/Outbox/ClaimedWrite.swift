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

/// The effect of a write on the server.
struct SentWrite: Sendable {
    /// The server's version; nil for a deletion.
    let document: JSONValue?

    /// The strong entity tag of that version.
    let entityTag: String?

    /// The version with the original text of the response; nil if it does not come from a response.
    var source: JSONDocument?
}

extension SentWrite {
    init(_ response: Response<DocumentResource.Document>) {
        document = response.value.json
        source = response.value.source
        entityTag = response.entityTag.flatMap { $0.isWeak ? nil : "\($0)" }
    }

    /// Returns the same version with its id converted to the JSON type that the item type decodes.
    func withReadableID(in collection: any RegisteredCollection) -> SentWrite {
        guard let document else { return self }
        return SentWrite(document: collection.withReadableID(document), entityTag: entityTag, source: source)
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
