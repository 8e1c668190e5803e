import WaybillSystem

/// A table with a `checksum` column that covers the other columns of each row.
///
/// SQLite detects only damage to the structure of the file, but most bit flips affect values. For a row of 300 bytes,
/// the checksum adds 3.3 µs to a write and 0.4 µs to a read.
enum CheckedTable: String, CaseIterable, Sendable {
    case rows
    case outbox
    case requests
    case collections
    case identifiers
    case spellings
    case checkpoints
    case counters

    /// Whether the store can set aside a damaged row of this table and continue.
    var isDispensable: Bool { self == .rows || self == .outbox || self == .requests }
}

/// A damaged row, identified by its table and number.
struct DamagedRow: Hashable, Sendable {
    let table: CheckedTable
    let number: Int64
}

extension Connection {
    /// Returns the quoted names of a table's columns, without the checksum column.
    func columns(of table: CheckedTable) throws(StoreError) -> [String] {
        try query("PRAGMA table_info(\(table.rawValue))") { row in row.text(1) }
            .filter { $0 != "checksum" }.map { "\"\($0)\"" }
    }

    /// Adds triggers that update the checksum of each row written by this connection.
    ///
    /// A row that is already damaged keeps its checksum, so that the damage is still detected. The triggers are
    /// temporary, because permanent ones would prevent other programs, which lack the function `waybill_checksum`, from
    /// writing to the file.
    func addChecksumTriggers() throws(StoreError) {
        for table in CheckedTable.allCases {
            let name = table.rawValue
            let keys = try query("PRAGMA table_info(\(name))") { row in row.integer(5) == 0 ? nil : row.text(1) }
            let condition = keys.map { "\"\($0)\" = NEW.\"\($0)\"" }.joined(separator: " AND ")
            let update = "BEGIN UPDATE \(name) SET checksum = \(try checksum(of: table)) WHERE \(condition); END"
            let columns = try columns(of: table).joined(separator: ", ")
            try execute("CREATE TEMP TRIGGER \(name)_inserted AFTER INSERT ON main.\(name) \(update)")
            try execute(
                """
                CREATE TEMP TRIGGER \(name)_updated AFTER UPDATE OF \(columns) ON main.\(name)
                    WHEN OLD.checksum IS \(try checksum(of: table, in: "OLD")) \(update)
                """
            )
        }
    }

    /// Reads a value from a row with a closure; if the row is damaged, records the damage and returns nil.
    ///
    /// The first column of the query must be the row's number, and the last one whether its checksum matches. The row
    /// also counts as damaged if the closure throws.
    func readIntact<Value>(
        _ table: CheckedTable,
        _ row: borrowing Row,
        _ read: (borrowing Row) throws(StoreError) -> Value
    ) -> Value? {
        if row.integer(row.count - 1) == 1, let value = try? read(row) { return value }
        recordDamage(DamagedRow(table: table, number: row.integer(0) ?? 0))
        return nil
    }

    /// Returns the rows of a table whose checksums do not match.
    func damagedRows(of table: CheckedTable) throws(StoreError) -> Set<DamagedRow> {
        let sql = "SELECT rowid FROM \(table.rawValue) WHERE checksum IS NOT \(try checksum(of: table))"
        return Set(try query(sql) { row in row.integer(0).map { DamagedRow(table: table, number: $0) } })
    }

    /// Checks the whole file, and throws an error if anything other than a dispensable row is damaged.
    ///
    /// - Parameter tables: the statements that create the tables of a new file.
    /// - Throws: ``StoreError`` with the reason `corrupt`.
    func checkStructure(_ tables: [String]) throws(StoreError) {
        let problem = try first("PRAGMA integrity_check(1)") { row in row.text(0) }
        if let problem, problem != "ok" { throw damaged(problem) }
        let statements = Set(try query("SELECT sql FROM sqlite_master") { row in row.text(0) })
        guard statements.isSuperset(of: tables) else { throw damaged("its schema differs from the store's") }
        for table in CheckedTable.allCases where !table.isDispensable {
            let sql = "SELECT 1 FROM \(table.rawValue) WHERE checksum IS NOT \(try checksum(of: table)) LIMIT 1"
            if try first(sql, [], { row in row.integer(0) }) != nil {
                throw damaged("a row of the table \(table.rawValue) does not match its checksum")
            }
        }
        let sql = "SELECT 1 FROM index_entries WHERE checksum IS NOT waybill_checksum(\"index\", value, row) LIMIT 1"
        if try first(sql, [], { row in row.integer(0) }) != nil {
            throw damaged("an index entry does not match its checksum")
        }
    }

    private func damaged(_ problem: String) -> StoreError {
        .database(
            .corrupt,
            "the file is damaged: \(problem). Close the store, rename its file with Store.setAside(at:), and open a new"
                + " store in the folder; sqlite3 FILE .recover recovers data from the renamed file",
            path: path
        )
    }
}
