import CWaybillSQLite
import Foundation
import Waybill

/// A database accessed directly through the same SQLite library, with the same settings.
///
/// `@unchecked Sendable`: subjects use it one after another.
final class PlainDatabase: @unchecked Sendable {
    /// The error of a library call, with its result code.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let table: UnsafeMutablePointer<waybill_sqlite_functions>
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?

    /// Opens a file, and creates the suite's table if it does not exist.
    convenience init(_ file: URL) throws {
        try self.init(existing: file)
        try run(StoreRows.creation)
        insertion = try prepare(StoreRows.insertion)
    }

    /// Opens a file without creating the suite's table.
    init(existing file: URL) throws {
        table = .allocate(capacity: 1)
        var message = [CChar](repeating: 0, count: 512)
        guard waybill_sqlite_load(nil, table, &message, 512) == .done else { throw Failure(call: "load", code: 0) }
        try check(table.pointee.open_v2(file.path, &database, 2 | 4 | 0x8000, nil), "open")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
    }

    deinit {
        _ = table.pointee.finalize(insertion)
        _ = table.pointee.close_v2(database)
        table.deallocate()
    }

    /// Inserts a row; outside a transaction, also commits it.
    func insert() throws {
        guard let insertion else { return }
        try StoreRows.body.withUnsafeBytes { bytes in
            // The bytes outlive the execution of the statement.
            try check(table.pointee.bind_blob(insertion, 1, bytes.baseAddress, Int32(bytes.count), nil), "bind")
            guard table.pointee.step(insertion) == 101 else { throw Failure(call: "step", code: 0) }
        }
        try check(table.pointee.reset(insertion), "reset")
    }

    /// Inserts `count` rows in one transaction.
    func fill(_ count: Int) throws {
        try run("BEGIN")
        for _ in 0..<count { try insert() }
        try run("COMMIT")
    }

    /// Reads all rows, and returns the sum of their checksums.
    func sum() throws -> Int {
        let statement = try prepare(StoreRows.selection)
        defer { _ = table.pointee.finalize(statement) }
        var sum = 0
        while table.pointee.step(statement) == 100 {
            guard let start = table.pointee.column_blob(statement, 1) else { continue }
            let count = Int(table.pointee.column_bytes(statement, 1))
            sum += UnsafeRawBufferPointer(start: start, count: count).sampled
        }
        return sum
    }

    /// Runs a query on a store's file, and decodes the documents in the second column.
    func items(_ sql: String) throws -> [StockItem] {
        let statement = try prepare(sql)
        defer { _ = table.pointee.finalize(statement) }
        var items: [StockItem] = []
        while table.pointee.step(statement) == 100 {
            guard let start = table.pointee.column_text(statement, 1) else { continue }
            let bytes = Data(bytes: start, count: Int(table.pointee.column_bytes(statement, 1)))
            items.append(try JSONDefaults.decoder.decode(StockItem.self, from: bytes))
        }
        return items
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard let database else { throw Failure(call: "prepare", code: 0) }
        try check(table.pointee.prepare_v2(database, sql, -1, &statement, nil), sql)
        guard let statement else { throw Failure(call: sql, code: 0) }
        return statement
    }

    private func run(_ sql: String) throws {
        let statement = try prepare(sql)
        defer { _ = table.pointee.finalize(statement) }
        while true {
            let code = table.pointee.step(statement)
            if code == 101 { return }
            guard code == 100 else { throw Failure(call: sql, code: code) }
        }
    }

    private func check(_ code: Int32, _ call: String) throws {
        guard code == 0 else { throw Failure(call: call, code: code) }
    }
}
