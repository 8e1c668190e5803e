internal import CWaybillSQLite
import WaybillSystem

/// A connection to a database, used by one thread at a time.
///
/// Prepared statements are cached by their text.
package final class Connection {
    /// The maximum number of cached statements, which exceeds the number of a store's statements with fixed text.
    private static let maximumStatementCount = 200

    /// The path of the file; nil for a database in memory.
    let path: String?
    private let functions: SQLiteFunctions
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Whether the connection is being opened, which determines the reason reported for an I/O error.
    var isOpening = true

    /// The damaged rows found since the last call to ``takeDamage()``.
    private var damage: Set<DamagedRow> = []

    /// The SQL expressions for checksums, by table name.
    private var checksums: [String: String] = [:]

    /// The cancellation flag of the current read, checked while its statements run.
    var interruption: Interruption? {
        didSet {
            // `sqlite3_interrupt` would not affect a statement that starts just after the call.
            let context = interruption.map { Unmanaged.passUnretained($0).toOpaque() }
            guard let context else { return functions.table.progress_handler(handle, 0, nil, nil) }
            functions.table.progress_handler(
                handle,
                10_000,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
                },
                context
            )
        }
    }

    /// Opens a connection to an existing file, or to a new database in memory.
    init(_ functions: SQLiteFunctions, path: String?) throws(StoreError) {
        let (readWrite, create, withoutMutex): (Int32, Int32, Int32) = (2, 4, 0x8000)
        let flags = path == nil ? readWrite | create | withoutMutex : readWrite | withoutMutex
        let name = path ?? ":memory:"
        var opened: OpaquePointer?
        let code = functions.call(.open, name) { functions.table.open_v2(name, &opened, flags, nil) }
        guard let opened, code == .ok else {
            let message = Self.message(functions, opened, code)
            _ = functions.table.close_v2(opened)
            let reason = code == .ok ? .other : code.reason(isOpening: true)
            throw .database(StoreError.DatabaseFailure(reason, code: code.rawValue, message, path: path))
        }
        self.functions = functions
        self.path = path
        handle = opened
        _ = functions.table.extended_result_codes(opened, 1)
        _ = functions.table.busy_timeout(opened, Int32(Self.busyTimeout))
        checkpointsOnClose = false
        let added = ResultCode(
            rawValue: withUnsafePointer(to: functions.table) { waybill_sqlite_add_checksum($0, opened) }
        )
        guard added == .ok else { throw failure(added) }
    }

    /// The maximum time that a statement waits for another connection's lock, in milliseconds.
    private static let busyTimeout = 5000

    deinit {
        statements = [:]
        _ = functions.table.close_v2(handle)
    }

    /// Whether closing the connection checkpoints the write-ahead log.
    var checkpointsOnClose: Bool = true {
        didSet {
            _ = withUnsafePointer(to: functions.table) {
                waybill_sqlite_set_checkpoint_on_close($0, handle, checkpointsOnClose ? 1 : 0)
            }
        }
    }

    /// The number of rows changed by the last `INSERT`, `UPDATE` or `DELETE`.
    package var changes: Int { Int(functions.table.changes(handle)) }

    /// The row id of the last inserted row.
    package var lastInsertedRow: Int64 { functions.table.last_insert_rowid(handle) }

    /// Whether a transaction is open.
    ///
    /// On some errors, such as a full disk, SQLite itself rolls back the transaction.
    package var isInTransaction: Bool { functions.table.get_autocommit(handle) == 0 }

    /// Records a damaged or unreadable row.
    func recordDamage(_ row: DamagedRow) { damage.insert(row) }

    /// Returns the damaged rows found since the last call, and clears the list.
    func takeDamage() -> Set<DamagedRow> {
        defer { damage = [] }
        return damage
    }

    /// Returns the SQL expression for the checksum of a table's row.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - row: the qualifier of the columns, such as `OLD` in a trigger; nil for the table's name.
    /// - Returns: the expression, which covers all columns of the table except the checksum.
    /// - Throws: a database error.
    func checksum(of table: CheckedTable, in row: String? = nil) throws(StoreError) -> String {
        let row = row ?? table.rawValue
        if let known = checksums[row] { return known }
        let columns = try columns(of: table).map { "\(row).\($0)" }.joined(separator: ", ")
        if row == table.rawValue { checksums[row] = "waybill_checksum(\(columns))" }
        return "waybill_checksum(\(columns))"
    }

    /// Copies a snapshot of the database to an existing empty file.
    func copy(to path: String) throws(StoreError) {
        let target = try Connection(functions, path: path)
        guard let backup = functions.table.backup_init(target.handle, "main", handle, "main") else {
            throw target.failure(ResultCode(rawValue: functions.table.extended_errcode(target.handle)))
        }
        let step = ResultCode(rawValue: functions.table.backup_step(backup, -1))
        let code = ResultCode(rawValue: functions.table.backup_finish(backup))
        guard step == .done else { throw target.failure(code == .ok ? step : code) }
    }

    /// Executes a statement to completion.
    package func execute(_ sql: String, _ values: [DatabaseValue] = []) throws(StoreError) {
        try forEach(sql, values) { _ in true }
    }

    /// Executes several statements without parameters, separated by semicolons.
    package func execute(script: String) throws(StoreError) {
        var rest = script
        while true {
            let (statement, tail) = try prepare(rest)
            if let statement {
                while try step(statement) {}
            } else if tail.isEmpty {
                return
            }
            rest = tail
        }
    }

    /// Executes a statement, and calls a closure with each row until it returns false.
    package func forEach(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ body: (borrowing Row) throws(StoreError) -> Bool
    ) throws(StoreError) {
        if interruption?.isCancelled == true {
            throw .database(.interrupted, "the task was cancelled", path: path)
        }
        let statement = try statement(sql)
        defer { statement.reset() }
        statement.isInUse = true
        switch statement.bind(values) {
        case nil:
            let text = "\(values.count) values do not match the number of parameters in the statement \(sql)"
            throw .database(.other, text, path: path)
        case .some(.ok): break
        case .some(let code): throw failure(code)
        }
        while try step(statement) {
            guard try body(Row(statement)) else { return }
        }
    }

    /// Returns the non-nil results of calling a closure with each row.
    package func query<T>(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ row: (borrowing Row) throws(StoreError) -> T?
    ) throws(StoreError) -> [T] {
        var found: [T] = []
        try forEach(sql, values) { (each) throws(StoreError) in
            if let value = try row(each) { found.append(value) }
            return true
        }
        return found
    }

    /// Returns the first non-nil result of calling a closure with each row; nil if all results are nil.
    package func first<T>(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ row: (borrowing Row) throws(StoreError) -> T?
    ) throws(StoreError) -> T? {
        var found: T?
        try forEach(sql, values) { (each) throws(StoreError) in
            found = try row(each)
            return found == nil
        }
        return found
    }

    private func step(_ statement: Statement) throws(StoreError) -> Bool {
        switch statement.step() {
        case .row: return true
        case .done: return false
        case let code: throw failure(code)
        }
    }

    private func statement(_ sql: String) throws(StoreError) -> Statement {
        let cached = statements[sql]
        if let cached, !cached.isInUse { return cached }
        let (new, tail) = try prepare(sql)
        guard let new, !tail.contains(where: { !$0.isWhitespace }) else {
            throw .database(.other, "expected exactly one statement: \(sql)", path: path)
        }
        guard cached == nil else { return new }
        if statements.count >= Self.maximumStatementCount { statements = statements.filter { $0.value.isInUse } }
        statements[sql] = new
        return new
    }

    /// Prepares the first statement of a script, and returns it with the rest of the script.
    ///
    /// The statement is nil if there are only spaces and comments before the first semicolon.
    private func prepare(_ sql: String) throws(StoreError) -> (statement: Statement?, tail: String) {
        var pointer: OpaquePointer?
        var tail = ""
        let code = functions.call(.prepare, sql) {
            sql.withCString { text in
                var end: UnsafePointer<CChar>?
                let code = functions.table.prepare_v2(handle, text, -1, &pointer, &end)
                if let end { tail = String(cString: end) }
                return code
            }
        }
        guard code == .ok else {
            _ = functions.table.finalize(pointer)
            throw failure(code)
        }
        return (pointer.map { Statement(functions, $0, sql: sql) }, tail)
    }

    private func failure(_ code: ResultCode) -> StoreError {
        let message = Self.message(functions, handle, code)
        let reason = code.reason(isOpening: isOpening)
        return .database(StoreError.DatabaseFailure(reason, code: code.rawValue, message, path: path))
    }

    /// Returns the connection's last message if it is for this code; otherwise the code's generic message.
    private static func message(_ functions: SQLiteFunctions, _ handle: OpaquePointer?, _ code: ResultCode) -> String {
        let isLastCode = handle != nil && functions.table.extended_errcode(handle) == code.rawValue
        return String(cString: isLastCode ? functions.table.errmsg(handle) : functions.table.errstr(code.rawValue))
    }
}
