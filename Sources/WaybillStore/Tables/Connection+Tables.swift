import Waybill
import WaybillSystem

// Queries on the tables.
extension Connection {
    func counter(_ name: String) throws(StoreError) -> Int64 {
        try first("SELECT value FROM counters WHERE name = ?", [.text(name)]) { $0.integer(0) } ?? 0
    }

    // MARK: Collections

    /// Returns the numbers of a collection's indexes by name.
    func indexes(of collection: Int64) throws(StoreError) -> [String: Int64] {
        let indexes = try query("SELECT name, number FROM indexes WHERE collection = ?", [.integer(collection)]) {
            row in
            (row.text(0) ?? "", row.integer(1) ?? 0)
        }
        return Dictionary(indexes) { first, _ in first }
    }

    // MARK: Rows

    private static let columns =
        "number, collection, id, document, base, entity_tag, is_deleted, pending, generation, fetched"

    func row(_ number: Int64) throws(StoreError) -> StoredRow? {
        try intactRows("WHERE number = ?", [.integer(number)]).first
    }

    func row(_ id: String, in collection: Int64) throws(StoreError) -> StoredRow? {
        try intactRows("WHERE collection = ? AND id = ?", [.integer(collection), .text(id)]).first
    }

    /// Returns the rows that a clause selects; damaged ones are recorded and omitted.
    private func intactRows(_ clause: String, _ values: [DatabaseValue]) throws(StoreError) -> [StoredRow] {
        let sql = "SELECT \(Self.columns), checksum IS \(try checksum(of: .rows)) FROM rows \(clause)"
        return try query(sql, values) { (row) throws(StoreError) in
            intact(.rows, row) { (row) throws(StoreError) in try StoredRow(row) }
        }
    }

    /// Returns the value that a closure reads from a row whose last column indicates whether its checksum matches.
    ///
    /// If the checksum does not match or the closure throws, records the damage and returns nil.
    func intact<Value>(
        _ table: CheckedTable,
        _ row: borrowing Row,
        _ read: (borrowing Row) throws(StoreError) -> Value
    ) -> Value? {
        if row.integer(row.count - 1) == 1, let value = try? read(row) { return value }
        note(DamagedPlace(table: table, number: row.integer(0) ?? 0))
        return nil
    }

    /// Returns the rows that satisfy a condition, ordered by number.
    func rows(where condition: String, _ values: [DatabaseValue]) throws(StoreError) -> [StoredRow] {
        try intactRows("WHERE \(condition) ORDER BY number", values)
    }

    /// Returns the rows of a collection that exceed its bound and have no pending writes.
    func rows(beyond bound: RowBound) throws(StoreError) -> [StoredRow] {
        switch bound {
        case .value(let least, let index):
            return try rows(
                where: """
                    pending = 0 AND number IN (SELECT row FROM index_entries WHERE "index" = ? AND value < ?)
                    """,
                [.integer(index), .real(least)]
            )
        case .count(let count, let index):
            let entries = try first("SELECT count(*) FROM index_entries WHERE \"index\" = ?", [.integer(index)]) {
                $0.integer(0) ?? 0
            }
            let excess = (entries ?? 0) - Int64(count)
            guard excess > 0 else { return [] }
            // Rows without a value count as the oldest. Their key is a blob, which sorts after all other keys.
            return try rows(
                where: """
                    pending = 0 AND number IN (
                        SELECT row FROM index_entries WHERE "index" = ?1 ORDER BY value <> x'', value, row LIMIT ?2
                    )
                    """,
                [.integer(index), .integer(excess)]
            )
        }
    }

    // MARK: Pending writes

    /// Returns the number of pending writes of all users.
    func countOfWrites() throws(StoreError) -> Int {
        Int(try first("SELECT count(*) FROM outbox") { $0.integer(0) } ?? 0)
    }

    /// Returns the numbers of the pending writes of all users.
    func numbersOfWrites() throws(StoreError) -> Set<Int64> {
        Set(try query("SELECT number FROM outbox") { $0.integer(0) ?? 0 })
    }

    /// Returns the number of pending and damaged writes of all users.
    func countOfUnsentWrites() throws(StoreError) -> Int {
        let damaged = try first("SELECT count(*) FROM damaged WHERE \"table\" = 'outbox'") { $0.integer(0) }
        return try countOfWrites() + Int(damaged ?? 0)
    }

    private static let writeColumns = """
        number, collection, row, operation, content, state, attempts, not_before, is_delayed_by_server,
        "references", failure, theirs, newest, request, is_alone, twin
        """

    func outboxWrite(_ number: Int64) throws(StoreError) -> OutboxWrite? {
        try intactWrites("WHERE number = ?", [.integer(number)]).first
    }

    /// Returns the pending writes that a clause selects; damaged ones are recorded and omitted.
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
            let write = intact(.outbox, row) { (row) throws(StoreError) in try OutboxWrite(row) }
            if let request = write?.request, row.integer(16) == nil {
                note(DamagedPlace(table: .requests, number: request))
            }
            return write
        }
    }

    /// Returns the pending writes of a row, in order.
    func outboxWrites(ofRow row: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites("WHERE row = ? ORDER BY number", [.integer(row)])
    }

    /// Returns the creations of a collection that are in flight or may have been applied, in order.
    func openCreations(in collection: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites(
            "WHERE collection = ? AND operation = 'create' AND (state = 'sending' OR request IS NOT NULL)"
                + " ORDER BY number",
            [.integer(collection)]
        )
        .filter(\.life.awaitsResult)
    }

    /// Returns all pending writes, in order.
    func outboxWrites() throws(StoreError) -> [OutboxWrite] {
        try intactWrites("ORDER BY number")
    }

    /// Returns the pending writes of a collection, in order.
    func outboxWrites(ofCollection number: Int64) throws(StoreError) -> [OutboxWrite] {
        try intactWrites("WHERE collection = ? ORDER BY number", [.integer(number)])
    }

    /// Returns the sending order of the given users' pending writes.
    func sendingOrder(of users: Set<String>) throws(StoreError) -> SendingOrder {
        let entries = try query(
            """
            SELECT outbox.number, outbox.row, operation, state, not_before, is_delayed_by_server, "references", address,
                id, request, is_alone, user, outbox.collection, outbox.checksum IS \(try checksum(of: .outbox))
            FROM outbox JOIN collections ON collections.number = outbox.collection
                JOIN rows ON rows.number = outbox.row
            ORDER BY outbox.number
            """,
            []
        ) { (row) throws(StoreError) -> SendingOrder.Entry? in
            let entry = intact(.outbox, row) { (row) throws(StoreError) -> SendingOrder.Entry in
                try SendingOrder.Entry(row)
            }
            return users.contains(row.text(11) ?? "") ? entry : nil
        }
        return SendingOrder(entries: entries)
    }

    // MARK: Identifiers

    /// Returns the permanent id that replaces a temporary one; nil if the server has not assigned one.
    func permanentID(of temporary: String) throws(StoreError) -> String? {
        try first("SELECT permanent FROM identifiers WHERE temporary = ?", [.text(temporary)]) { $0.text(0) }
    }

    /// Whether an address contains a temporary id without a permanent one.
    func hasOpenIdentifier(_ address: String) throws(StoreError) -> Bool {
        for part in CollectionPlace.parts(of: address) where try openIdentifier(part: part) != nil { return true }
        return false
    }

    /// Returns the temporary id in a part of an address; nil if the part is no such id or has a permanent replacement.
    func openIdentifier(part: Substring) throws(StoreError) -> OpenIdentifier? {
        try openIdentifier(part.percentDecoded)
    }

    /// Returns a temporary id by its text; nil if the text is no such id or has a permanent replacement.
    func openIdentifier(_ text: String) throws(StoreError) -> OpenIdentifier? {
        try first(
            "SELECT row FROM identifiers WHERE temporary = ? AND permanent IS NULL",
            [.text(text)]
        ) { OpenIdentifier(text: text, row: $0.integer(0) ?? 0) }
    }

    /// Returns the temporary ids in a document that have no permanent id yet.
    func openIdentifiers(in document: JSONValue) throws(StoreError) -> [OpenIdentifier] {
        var values: Set<JSONValue> = []
        document.collectIdentifiers(into: &values)
        var found: [OpenIdentifier] = []
        for value in values {
            let id = try first(
                "SELECT temporary, row FROM identifiers WHERE temporary_json = ? AND permanent IS NULL",
                [.text(value.description)]
            ) { OpenIdentifier(text: $0.text(0) ?? "", row: $0.integer(1) ?? 0) }
            if let id { found.append(id) }
        }
        return found
    }
}

/// A temporary id without a permanent one.
struct OpenIdentifier: Sendable, Hashable {
    let text: String

    /// The number of the row; 0 for an item that will never be created.
    let row: Int64
}

extension JSONValue {
    /// Collects the strings and integers in a document, any of which could be an id.
    fileprivate func collectIdentifiers(into values: inout Set<JSONValue>) {
        switch self {
        case .array(let elements): for element in elements { element.collectIdentifiers(into: &values) }
        case .object(let members): for member in members.values { member.collectIdentifiers(into: &values) }
        case .string, .integer: values.insert(self)
        default: break
        }
    }
}

extension StoredRow {
    init(_ row: borrowing Row) throws(StoreError) {
        self.init(
            number: row.integer(0) ?? 0,
            collection: row.integer(1) ?? 0,
            id: row.text(2) ?? "",
            document: try JSONValue(stored: row.text(3) ?? "null"),
            entityTag: row.text(5),
            isDeleted: row.integer(6) == 1,
            pending: Int(row.integer(7) ?? 0),
            generation: row.integer(8) ?? 0,
            fetched: row.real(9).map { Date(timeIntervalSince1970: $0) }
        )
        if let base = row.text(4) { self.base = try JSONValue(stored: base) }
        source = (row.text(4) ?? row.text(3)).map { JSONDocument(base ?? document, source: $0) }
    }
}

extension SendingOrder.Entry {
    fileprivate init(_ row: borrowing Row) throws(StoreError) {
        guard let operation = row.text(2).flatMap(OutboxWrite.Operation.init),
            let phase = row.text(3).flatMap(EntryLife.Phase.init)
        else { throw .corrupt("the outbox has an unknown operation or state") }
        self.init(
            number: row.integer(0) ?? 0,
            row: row.integer(1) ?? 0,
            operation: operation,
            phase: phase,
            notBefore: row.real(4).map { Date(timeIntervalSince1970: $0) },
            isDelayedByServer: row.integer(5) == 1,
            user: row.text(11) ?? "",
            collection: row.integer(12) ?? 0,
            url: CollectionPlace.url(of: row.text(7) ?? ""),
            id: row.text(8) ?? "",
            references: try Set(stored: row.text(6) ?? "[]"),
            request: row.integer(9),
            isAlone: row.integer(10) == 1
        )
    }
}

extension OutboxWrite {
    init(_ row: borrowing Row) throws(StoreError) {
        guard let operation = row.text(3).flatMap(Operation.init),
            let phase = row.text(5).flatMap(EntryLife.Phase.init)
        else { throw .corrupt("the outbox has an unknown operation or state") }
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
        // A damaged request may have been applied.
        isPossiblyApplied = request != nil && row.integer(16) ?? 1 > 0
    }
}

extension Set<String> {
    fileprivate init(stored text: String) throws(StoreError) {
        self = Set(try JSONValue(stored: text).arrayValue?.compactMap(\.stringValue) ?? [])
    }
}

extension StoreError {
    static func corrupt(_ message: String) -> StoreError {
        .database(.corrupt, message, path: nil)
    }
}
