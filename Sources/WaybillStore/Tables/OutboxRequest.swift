import Waybill
import WaybillSystem

/// A request of the outbox that is in flight or has an unknown outcome, with its content and idempotency key.
///
/// It is repeated unchanged. Its entries leave it when the server gives a definite answer.
struct OutboxRequest: Sendable {
    var number: Int64 = 0

    /// The idempotency key.
    let key: String

    /// The documents in the body: one per write of a batch; the states before and after a PATCH; none for a deletion.
    ///
    /// Each keeps its text, so that a repetition has the same bytes.
    let documents: [JSONDocument]

    /// The entity tag that the server's version must have.
    let entityTag: String?

    /// The numbers of the writes, in the order of the body.
    ///
    /// A discarded write keeps its position.
    let writes: [Int64]

    /// Whether a repetition takes effect only once.
    let isRepeatable: Bool

    /// Whether the server recognizes a repetition by the idempotency key.
    let hasKey: Bool

    /// The number of attempts with an unknown outcome.
    var losses = 0

    /// The number of responses without a definite answer.
    var inconclusive = 0

    /// Returns the number of responses without a definite answer after which a person must decide.
    ///
    /// It is 3 after a rejection, which is likely to recur. Otherwise it is 10, because a failed server may recover,
    /// and an earlier attempt may still be in progress; 10 attempts take about 17 minutes with the default backoff.
    static func inconclusiveLimit(after reply: EntryLife.Reply) -> Int { reply == .rejected ? 3 : 10 }

    /// Whether the request is a batch.
    var isBatch: Bool { writes.count > 1 }

    func facts(isCreation: Bool, after reply: EntryLife.Reply = .failed) -> EntryLife.Request {
        EntryLife.Request(
            isRepeatable: isRepeatable,
            hasKey: hasKey,
            isCreation: isCreation,
            isExhausted: inconclusive >= Self.inconclusiveLimit(after: reply)
        )
    }
}

extension OutboxRequest {
    init(_ row: borrowing Row) throws(StoreError) {
        let writes = try JSONValue(stored: row.text(4) ?? "[]").arrayValue ?? []
        self.init(
            number: row.integer(0) ?? 0,
            key: row.text(1) ?? "",
            documents: try [JSONDocument](stored: row.text(2) ?? "[]"),
            entityTag: row.text(3),
            writes: writes.compactMap { $0.intValue.map(Int64.init) },
            isRepeatable: row.integer(5) == 1,
            hasKey: row.integer(6) == 1,
            losses: Int(row.integer(7) ?? 0),
            inconclusive: Int(row.integer(8) ?? 0)
        )
    }
}

extension Connection {
    /// Returns a request; records the damage and returns nil if it is damaged.
    func request(_ number: Int64) throws(StoreError) -> OutboxRequest? {
        let sql = """
            SELECT number, key, documents, entity_tag, writes, is_repeatable, has_key, losses, inconclusive,
                checksum IS \(try checksum(of: .requests))
            FROM requests WHERE number = ?
            """
        return try query(sql, [.integer(number)]) { (row) throws(StoreError) in
            readIntact(.requests, row) { (row) throws(StoreError) in try OutboxRequest(row) }
        }.first
    }
}

extension StoreWrite {
    /// Adds a request, or updates the counts of one that already has a number.
    func save(_ request: inout OutboxRequest) throws(StoreError) {
        guard request.number == 0 else {
            return try connection.execute(
                "UPDATE requests SET losses = ?, inconclusive = ? WHERE number = ?",
                [.integer(Int64(request.losses)), .integer(Int64(request.inconclusive)), .integer(request.number)]
            )
        }
        try connection.execute(
            """
            INSERT INTO requests (key, documents, entity_tag, writes, is_repeatable, has_key, losses, inconclusive)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(request.key), .text(JSONDocument(elements: request.documents).text),
                DatabaseValue(request.entityTag),
                .text(JSONValue.array(request.writes.map { .integer(Int($0)) }).description),
                .integer(request.isRepeatable ? 1 : 0), .integer(request.hasKey ? 1 : 0),
                .integer(Int64(request.losses)), .integer(Int64(request.inconclusive)),
            ]
        )
        request.number = connection.lastInsertedRow
    }

    /// Removes a write from its request, and removes the request if no other write belongs to it.
    func leave(_ request: Int64, _ write: inout OutboxWrite) throws(StoreError) {
        write.request = nil
        write.isPossiblyApplied = false
        let others = try connection.first(
            "SELECT count(*) FROM outbox WHERE request = ? AND number <> ?",
            [.integer(request), .integer(write.number)]
        ) { $0.integer(0) }
        if others ?? 0 == 0 { try removeRequest(request) }
    }

    /// Removes a request whose outcome is known, or that never reached the server.
    func removeRequest(_ number: Int64) throws(StoreError) {
        try connection.execute("DELETE FROM requests WHERE number = ?", [.integer(number)])
        try connection.execute("UPDATE outbox SET request = NULL WHERE request = ?", [.integer(number)])
    }
}
