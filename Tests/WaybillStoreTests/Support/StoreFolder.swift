import Foundation
import WaybillStore

/// A folder for a store's file, removed when it is deallocated.
final class StoreFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("waybill-store-\(UInt64.random(in: .min ... .max))")

    /// The store's file.
    var file: URL { url.appendingPathComponent("store.sqlite") }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// Returns the permissions of a file in the folder.
    func permissions(of name: String) throws -> Int? {
        let path = url.appendingPathComponent(name).path
        return (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}

/// The place where a database is stored.
enum Place: CaseIterable, Sendable {
    case file
    case memory

    /// Opens a database with the table of items.
    func open(_ folder: StoreFolder, library: SQLiteLibrary = .system) async throws -> Database {
        try await Database.open(at: self == .file ? folder.file : nil, library: library, prepare: prepareItems)
    }
}

/// Creates a table of items.
let prepareItems: @Sendable (Connection) throws(StoreError) -> Void = { (connection) throws(StoreError) in
    try connection.execute("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, body BLOB)")
}

extension Connection {
    /// The IDs of the items, sorted.
    var items: [Int64] {
        get throws(StoreError) { try query("SELECT id FROM item ORDER BY id") { row in row.integer(0) } }
    }

    /// Inserts an item.
    func insert(_ id: Int64) throws(StoreError) {
        try execute("INSERT INTO item (id, body) VALUES (?, ?)", [.integer(id), .text("item \(id)")])
    }
}

extension Database {
    /// The IDs of the items, sorted.
    var items: [Int64] {
        get async throws(StoreError) { try await read { (connection) throws(StoreError) in try connection.items } }
    }

    /// Inserts an item.
    func insert(_ id: Int64) async throws(StoreError) {
        try await write { (transaction) throws(StoreError) in try transaction.connection.insert(id) }
    }
}

extension StoreError {
    /// The reason for a database failure.
    var reason: DatabaseFailure.Reason? {
        guard case .database(let failure) = self else { return nil }
        return failure.reason
    }
}

/// Returns the reason for a database failure, or `nil` if the database has not failed.
func reason(_ work: () async throws -> Void) async -> StoreError.DatabaseFailure.Reason? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? StoreError)?.reason
    }
}
