import Waybill
import WaybillSystem

// Setting aside damaged rows, pending writes and requests.
extension StoreWrite {
    /// Moves damaged rows, pending writes and requests to the table `damaged`.
    ///
    /// Writes that depend on them are not sent: the writes to a damaged row are parked, and so are the remaining writes
    /// to a row with a damaged write. The outcomes of a damaged request's writes are marked as unknown.
    ///
    /// - Parameters:
    ///   - rows: the damaged rows found so far; this method scans for others.
    ///   - users: the users whose records to return.
    /// - Returns: the new records.
    /// - Throws: a database error.
    func setAside(
        _ rows: Set<DamagedRow>,
        of users: Set<String>
    ) throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        var rows = rows
        for table in CheckedTable.allCases where table.isDispensable {
            rows.formUnion(try connection.damagedRows(of: table))
        }
        let last = try connection.first("SELECT max(number) FROM damaged", []) { $0.integer(0) } ?? 0
        for row in rows.sorted(by: { ($0.table.rawValue, $0.number) < ($1.table.rawValue, $1.number) }) {
            try moveToDamaged(row)
        }
        try replaceMissingRequests()
        let rowsWithMissingWrites = try connection.query(
            """
            SELECT number FROM rows
            WHERE pending > 0 AND pending <> (SELECT count(*) FROM outbox WHERE outbox.row = rows.number)
            """,
            []
        ) { $0.integer(0) }
        for number in rowsWithMissingWrites {
            guard var row = try connection.row(number) else { continue }
            try parkRemainingWrites(of: &row)
        }
        let orphans = try connection.query(
            "SELECT number FROM outbox WHERE row NOT IN (SELECT number FROM rows)",
            []
        ) { $0.integer(0) }
        for number in orphans {
            guard var write = try connection.outboxWrite(number) else { continue }
            try park(&write, "its item was damaged in the file; discard the entry, and make the change again")
        }
        try revealRowsWithoutCreation()
        return try connection.damagedRecords(of: users).filter { $0.id > last }
    }

    /// Rebuilds the tables `outbox_states` and `outbox_references`, which have no checksums, from the table `outbox`.
    func rebuildDerivedTables() throws(StoreError) {
        try connection.execute("DELETE FROM outbox_states")
        try connection.execute(
            "INSERT INTO outbox_states SELECT collection, state, count(*) FROM outbox GROUP BY collection, state"
        )
        try connection.execute("DELETE FROM outbox_references")
        let numbers = try connection.query("SELECT number FROM outbox WHERE \"references\" <> '[]'", []) {
            $0.integer(0)
        }
        for number in numbers {
            if let write = try connection.outboxWrite(number) { try addReferences(of: write) }
        }
    }

    /// Parks the remaining writes to a row with a damaged write.
    private func parkRemainingWrites(of row: inout StoredRow) throws(StoreError) {
        let writes = try connection.outboxWrites(ofRow: row.number)
        recordWriteChange(ofRow: row.number, in: row.collection)
        row.pending = writes.count
        guard !writes.isEmpty else {
            guard row.base != nil else {
                // The damaged write was the creation of the item.
                for number in try connection.outboxWriteNumbers(referringTo: row.id) {
                    guard var write = try connection.outboxWrite(number) else { continue }
                    try park(
                        &write,
                        "it refers to a new item whose creation was damaged in the file; discard the entry"
                    )
                }
                return try moveToDamaged(DamagedRow(table: .rows, number: row.number))
            }
            return try saveOrRemove(&row, pending: [])
        }
        for var write in writes {
            try park(&write, "another write to its item was damaged in the file; retry the entry, or discard it")
        }
        try save(&row)
    }

    /// Replaces missing requests with placeholders that are never sent, and marks the outcomes of their writes as
    /// unknown.
    ///
    /// Without the key and the body, a server would not recognize a repetition, so the user must decide. Requests
    /// without any remaining writes are set aside too.
    private func replaceMissingRequests() throws(StoreError) {
        let missing = try connection.query(
            """
            SELECT DISTINCT request FROM outbox
            WHERE request IS NOT NULL AND request NOT IN (SELECT number FROM requests)
            """,
            []
        ) { $0.integer(0) }
        for old in missing {
            let numbers = try connection.query(
                "SELECT number FROM outbox WHERE request = ? ORDER BY number",
                [.integer(old)]
            ) { $0.integer(0) }
            var request = OutboxRequest(
                key: "",
                documents: [],
                entityTag: nil,
                writes: numbers,
                isRepeatable: false,
                hasKey: false,
                losses: 1
            )
            try save(&request)
            for number in numbers {
                guard var write = try connection.outboxWrite(number) else { continue }
                write.request = request.number
                write.phase = .unknown
                write.failure = OutboxEntry.Failure(
                    summary: "its request was damaged in the file, and the server may have applied it: confirm the"
                        + " entry if it did; otherwise retry it, which sends a new request with a different key"
                )
                try save(&write)
            }
        }
        let orphans = try connection.query(
            "SELECT number FROM requests WHERE number NOT IN (SELECT request FROM outbox WHERE request IS NOT NULL)",
            []
        ) { $0.integer(0) }
        for number in orphans { try moveToDamaged(DamagedRow(table: .requests, number: number)) }
    }

    private func park(_ write: inout OutboxWrite, _ reason: String) throws(StoreError) {
        // The server may already have applied a write whose request was sent.
        write.phase = write.phase == .sending || write.isPossiblyApplied ? .unknown : .parked
        write.failure = OutboxEntry.Failure(summary: reason)
        try save(&write)
    }

    private func moveToDamaged(_ row: DamagedRow) throws(StoreError) {
        let table = row.table.rawValue
        let values = try connection.columns(of: row.table).map { "quote(source.\($0))" }
        let (collection, item) =
            switch row.table {
            case .rows: ("source.collection", "source.id")
            case .requests:
                (
                    "(SELECT collection FROM outbox WHERE outbox.request = source.number)",
                    """
                    (SELECT id FROM rows JOIN outbox ON outbox.row = rows.number WHERE outbox.request = source.number)
                    """
                )
            default: ("source.collection", "(SELECT id FROM rows WHERE rows.number = source.row)")
            }
        try connection.execute(
            """
            INSERT INTO damaged ("table", user, template, item, content)
            SELECT '\(table)', (SELECT user FROM collections WHERE collections.number = \(collection)),
                (SELECT template FROM collections WHERE collections.number = \(collection)),
                CAST(\(item) AS TEXT), \(values.joined(separator: " || ', ' || "))
            FROM \(table) AS source WHERE number = ?
            """,
            [.integer(row.number)]
        )
        if row.table == .rows {
            let collection = try connection.first(
                "SELECT collection FROM rows WHERE number = ?",
                [.integer(row.number)]
            ) { $0.integer(0) }
            try remove(StoredRow(number: row.number, collection: collection ?? 0, id: "", document: .null))
            // Fetch the whole list next time: the changes since the last synchronization may not include the item.
            try connection.execute("UPDATE checkpoints SET since = NULL, cursor = NULL, validator = NULL")
        } else {
            try connection.execute("DELETE FROM \(table) WHERE number = ?", [.integer(row.number)])
        }
    }
}

extension SynchronizationReport.DamagedRecord.Kind {
    fileprivate init?(_ table: CheckedTable) {
        switch table {
        case .rows: self = .item
        case .outbox: self = .write
        case .requests: self = .request
        case .collections, .identifiers, .spellings, .checkpoints, .counters: return nil
        }
    }
}

extension Connection {
    /// Returns the damaged records of given users and of unknown users, in the order of detection.
    func damagedRecords(of users: Set<String>) throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        try query("SELECT number, \"table\", template, item, content, user FROM damaged ORDER BY number", []) { row in
            if let user = row.text(5), !users.contains(user) { return nil }
            return SynchronizationReport.DamagedRecord(
                id: row.integer(0) ?? 0,
                kind: row.text(1).flatMap(CheckedTable.init).flatMap(SynchronizationReport.DamagedRecord.Kind.init)
                    ?? .write,
                template: row.text(2),
                itemID: row.text(3),
                content: row.text(4) ?? ""
            )
        }
    }
}
