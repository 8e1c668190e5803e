import Foundation
import WaybillStore

/// The rows of the `store` suite, and their SQL statements.
enum StoreRows {
    /// The number of rows to read.
    static let count = 100_000

    /// The body of a row: 300 bytes.
    static let body = Data((0..<300).map { UInt8($0 % 251) })

    static let creation = "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, body BLOB)"
    static let insertion = "INSERT INTO item (body) VALUES (?)"
    static let selection = "SELECT id, body FROM item"

    /// Opens a database of `WaybillStore`.
    static func open(_ file: URL) async throws(StoreError) -> Database {
        try await Database.open(at: file) { (connection) throws(StoreError) in try connection.execute(creation) }
    }

    /// Inserts a row; it is durable when the function returns.
    static func insert(_ database: Database) async throws(StoreError) {
        try await database.write { (transaction) throws(StoreError) in
            try transaction.connection.execute(insertion, [.blob(body)])
        }
    }

    /// Reads all rows, and returns the sum of their checksums.
    static func sum(_ database: Database) async throws(StoreError) -> Int {
        try await database.read { (connection) throws(StoreError) in
            var sum = 0
            try connection.forEach(selection) { row in
                sum += row.withBytes(1) { $0.sampled }
                return true
            }
            return sum
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A cheap checksum of the length and two bytes, which ensures that rows are read.
    var sampled: Int { count + Int(first ?? 0) + Int(last ?? 0) }
}
