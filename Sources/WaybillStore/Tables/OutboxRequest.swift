import Waybill
import WaybillSystem

/// An outbox request that is in flight or has an unknown outcome, with its content and idempotency key.
///
/// It is repeated unchanged until the server sends a conclusive response.
struct OutboxRequest: Sendable {
    var number: Int64 = 0

    /// The idempotency key.
    let key: String

    /// The documents for the body: one for each write; the states before and after for a PATCH; none for a deletion.
    ///
    /// Each keeps its text, so that a repetition sends the same bytes.
    let documents: [JSONDocument]

    /// The entity tag required of the server's version; nil for an unconditional request.
    let entityTag: String?

    /// The numbers of the writes, in the order of the body, including discarded ones.
    let writes: [Int64]

    /// Whether a repeated request takes effect only once.
    let isRepeatable: Bool

    /// Whether the server recognizes repetitions by the idempotency key.
    let hasKey: Bool

    /// The number of attempts with an unknown outcome.
    var losses = 0

    /// The number of inconclusive responses.
    var inconclusive = 0

    /// Returns the number of inconclusive responses after which the user must decide.
    ///
    /// The limit is 3 after a rejection, which is likely to recur. Otherwise, it is 10, because the server may recover
    /// or may still be processing an earlier attempt; 10 attempts take about 17 minutes with the default backoff.
    static func inconclusiveLimit(after reply: DeliveryState.Reply) -> Int { reply == .rejected ? 3 : 10 }

    /// Whether the request is a batch.
    var isBatch: Bool { writes.count > 1 }

    /// Returns the traits of the request after a reply.
    ///
    /// - Parameters:
    ///   - isCreation: whether the request creates an item.
    ///   - reply: the kind of the latest reply, which determines the limit on inconclusive responses.
    /// - Returns: the traits.
    func traits(isCreation: Bool, after reply: DeliveryState.Reply = .failed) -> DeliveryState.RequestTraits {
        DeliveryState.RequestTraits(
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
    /// Returns a request; nil if it is missing or damaged.
    ///
    /// If it is damaged, the damage is recorded.
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
    /// Adds a request, or updates its counts if it has a number.
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

    /// Detaches a write from its request, and removes the request if it has no other writes.
    func detach(_ write: inout OutboxWrite, from request: Int64) throws(StoreError) {
        write.request = nil
        write.isPossiblyApplied = false
        let others = try connection.first(
            "SELECT count(*) FROM outbox WHERE request = ? AND number <> ?",
            [.integer(request), .integer(write.number)]
        ) { $0.integer(0) }
        if others ?? 0 == 0 { try removeRequest(request) }
    }

    /// Removes a request that has a known outcome or never reached the server.
    func removeRequest(_ number: Int64) throws(StoreError) {
        try connection.execute("DELETE FROM requests WHERE number = ?", [.integer(number)])
        try connection.execute("UPDATE outbox SET request = NULL WHERE request = ?", [.integer(number)])
    }
}
