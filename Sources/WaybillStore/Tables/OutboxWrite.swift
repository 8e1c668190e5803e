import Waybill
import WaybillSystem

/// A pending write, as stored in the table `outbox`.
struct OutboxWrite: Sendable, Equatable {
    enum Operation: String, Sendable {
        /// A POST request with the draft.
        case create
        /// A PUT request with the whole item; the content is the difference from the previous state.
        case update
        /// A PUT request with a body of a separate type.
        case replace
        /// A PATCH request with the difference from the previous state.
        case patch
        /// A DELETE request.
        case delete
    }

    /// The number of the write; later writes have higher numbers.
    var number: Int64 = 0
    var collection: Int64
    var row: Int64
    var operation: Operation

    /// The content: a draft, changes as a merge patch, or a whole body; null for a deletion.
    var content: JSONValue

    var phase = DeliveryState.Phase.waiting

    /// The number of attempts to send the write.
    var attempts = 0

    /// The earliest date of the next attempt.
    var notBefore: Date?

    /// Whether ``notBefore`` includes a delay requested by the server or a rate limit.
    var isDelayedByServer = false

    /// The temporary ids of other items in the path or the content.
    var references: Set<String> = []

    /// The last failure, if any.
    var failure: OutboxEntry.Failure?

    /// The server's version in a conflict; nil if there is no conflict, or if the server has deleted the item.
    var theirs: JSONValue?

    /// A version fetched from the server while an attempt may have been applied, to compare once its outcome is known.
    ///
    /// It is `null` if the server has deleted the item, and nil if no different version was fetched.
    var newest: JSONValue?

    /// The number of the write's request, from the first attempt until a conclusive response; nil otherwise.
    var request: Int64?

    /// The number of the hidden row of a fetched item that this creation has probably created.
    ///
    /// It is nil if there is no such row, or once the outcome is known.
    var twin: Int64?

    /// Whether an attempt has an unknown outcome.
    var isPossiblyApplied = false

    /// Whether to send the write in a separate request, even if its collection supports batches.
    var isAlone = false

    var deliveryState: DeliveryState { DeliveryState(phase: phase, isPossiblyApplied: isPossiblyApplied) }

    /// Resets the write to the state before its first attempt.
    mutating func reset() {
        phase = .waiting
        attempts = 0
        notBefore = nil
        isDelayedByServer = false
        failure = nil
        theirs = nil
        newest = nil
        request = nil
        isPossiblyApplied = false
    }

    /// Returns the state of an item after this write; nil if the write deletes it.
    func applied(to document: JSONValue?) -> JSONValue? {
        switch operation {
        case .create: content.merging(over: document ?? .object([:]))
        case .update, .patch: (document ?? .object([:])).applying(mergePatch: content)
        case .replace: content.merging(over: document ?? .object([:]))
        // The deletion was not applied.
        case .delete where phase == .parked || phase == .conflict: document
        case .delete: .none
        }
    }
}

extension Sequence<OutboxWrite> {
    /// Returns the state of an item after these writes; nil if it no longer exists.
    func applied(to document: JSONValue?) -> JSONValue? { reduce(document) { $1.applied(to: $0) } }
}

/// The result of combining a pending write with the next write to its row.
enum Coalescing: Equatable {
    /// The writes stay separate.
    case separate
    /// A combined write replaces the pending one.
    case merged(OutboxWrite.Operation, JSONValue)
    /// The writes cancel each other out.
    case nothing

    /// Combines two writes to a row.
    ///
    /// - Parameters:
    ///   - last: the last pending write.
    ///   - next: the operation of the next write.
    ///   - content: the content of the next write.
    ///   - states: the item before the last write and after the next one.
    init(
        _ last: OutboxWrite,
        _ next: OutboxWrite.Operation,
        _ content: JSONValue,
        states: (before: JSONValue?, after: JSONValue?)
    ) {
        guard last.deliveryState.isCombinable else {
            self = .separate
            return
        }
        switch (last.operation, next) {
        case (.create, .update), (.create, .patch):
            self = .merged(.create, last.content.applying(mergePatch: content))
        case (.create, .replace): self = .merged(.create, content.merging(over: last.content))
        case (.create, .delete): self = .nothing
        case (.replace, .update), (.replace, .patch):
            self = .merged(.replace, last.content.applying(mergePatch: content))
        case (.update, .replace), (.patch, .replace), (.replace, .replace): self = .merged(.replace, content)
        case (.update, .update), (.update, .patch), (.patch, .update), (.patch, .patch):
            // Do not merge the patches: an object that replaced a value would be merged into that value instead.
            guard let before = states.before, let after = states.after else {
                self = .separate
                return
            }
            let operation = last.operation == .patch && next == .patch ? OutboxWrite.Operation.patch : .update
            self = JSONValue.mergePatch(from: before, to: after).map { .merged(operation, $0) } ?? .nothing
        case (.update, .delete), (.patch, .delete), (.replace, .delete): self = .merged(.delete, .null)
        // The next write replaces a rejected deletion.
        case (.delete, .update), (.delete, .patch), (.delete, .replace), (.delete, .delete):
            self = last.phase == .parked ? .merged(next, content) : .separate
        case (.delete, .create), (_, .create): self = .separate
        }
    }
}

// Reading the table `outbox`.
extension Connection {
    /// Returns the number of pending writes of all users.
    func pendingWriteCount() throws(StoreError) -> Int {
        Int(try first("SELECT count(*) FROM outbox") { $0.integer(0) } ?? 0)
    }

    /// Returns the numbers of the pending writes of all users.
    func pendingWriteNumbers() throws(StoreError) -> Set<Int64> {
        Set(try query("SELECT number FROM outbox") { $0.integer(0) ?? 0 })
    }

    /// Returns the number of pending and damaged writes of all users.
    func unsentWriteCount() throws(StoreError) -> Int {
        let damaged = try first("SELECT count(*) FROM damaged WHERE \"table\" = 'outbox'") { $0.integer(0) }
        return try pendingWriteCount() + Int(damaged ?? 0)
    }

    private static let writeColumns = """
        number, collection, row, operation, content, state, attempts, not_before, is_delayed_by_server,
        "references", failure, theirs, newest, request, is_alone, twin
        """

    func outboxWrite(_ number: Int64) throws(StoreError) -> OutboxWrite? {
        try intactWrites("WHERE number = ?", [.integer(number)]).first
    }

    /// Returns the pending writes selected by an SQL clause; damaged ones are recorded and omitted.
    private func intactWrites(_ clause: String, _ values: [DatabaseValue] = []) throws(StoreError) -> [OutboxWrite] {
        let sql = """
            SELECT \(Self.writeColumns),
                (
                    SELECT losses FROM requests
                    WHERE requests.number = outbox.request AND requests.checksum IS \(try checksum(of: .requests))
                ),
                checksum IS \(try checksum(of: .outbox))
            FROM outbox \(clause)
            """
        return try query(sql, values) { (row) throws(StoreError) in
            let write = readIntact(.outbox, row) { (row) throws(StoreError) in try OutboxWrite(row) }
            if let request = write?.request, row.integer(16) == nil {
                recordDamage(DamagedRow(table: .requests, number: request))
            }
            return write
        }
    }

    /// Returns the pending writes to a row, in order.
    func outboxWrites(ofRow row: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites("WHERE row = ? ORDER BY number", [.integer(row)])
    }

    /// Returns a collection's creations that are in flight or may have been applied, in order.
    func unresolvedCreations(in collection: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites(
            "WHERE collection = ? AND operation = 'create' AND (state = 'sending' OR request IS NOT NULL)"
                + " ORDER BY number",
            [.integer(collection)]
        )
        .filter(\.deliveryState.awaitsResult)
    }

    /// Returns all pending writes, in order.
    func outboxWrites() throws(StoreError) -> [OutboxWrite] {
        try intactWrites("ORDER BY number")
    }

    /// Returns the pending writes of a collection, in order.
    func outboxWrites(ofCollection number: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites("WHERE collection = ? ORDER BY number", [.integer(number)])
    }
}

extension OutboxWrite {
    init(_ row: borrowing Row) throws(StoreError) {
        guard let operation = row.text(3).flatMap(Operation.init),
            let phase = row.text(5).flatMap(DeliveryState.Phase.init)
        else { throw .corrupt("an outbox entry has an unknown operation or state") }
        self.init(
            number: row.integer(0) ?? 0,
            collection: row.integer(1) ?? 0,
            row: row.integer(2) ?? 0,
            operation: operation,
            content: try JSONValue(stored: row.text(4) ?? "null"),
            phase: phase,
            attempts: Int(row.integer(6) ?? 0),
            notBefore: row.real(7).map { Date(timeIntervalSince1970: $0) },
            isDelayedByServer: row.integer(8) == 1,
            references: try Set(stored: row.text(9) ?? "[]")
        )
        if let failure = row.text(10) { self.failure = OutboxEntry.Failure(json: try JSONValue(stored: failure)) }
        if let theirs = row.text(11) { self.theirs = try JSONValue(stored: theirs) }
        if let newest = row.text(12) { self.newest = try JSONValue(stored: newest) }
        request = row.integer(13)
        isAlone = row.integer(14) == 1
        twin = row.integer(15)
        // If the request is damaged, it may have been applied.
        isPossiblyApplied = request != nil && row.integer(16) ?? 1 > 0
    }
}

extension Set<String> {
    init(stored text: String) throws(StoreError) {
        self = Set(try JSONValue(stored: text).arrayValue?.compactMap(\.stringValue) ?? [])
    }
}
