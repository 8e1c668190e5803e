import Foundation
import WaybillStore

/// A folder with the file of a store, which is removed with its last reference.
final class StoreFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("waybill-store-\(UInt64.random(in: .min ... .max))")

    /// The file of the store.
    var file: URL { url.appendingPathComponent("store.sqlite") }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files, in their order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// Returns the permissions of a file in the folder.
    func permissions(of name: String) throws -> Int? {
        let path = url.appendingPathComponent(name).path
        return (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}

/// The place of a database in a test that is the same for all of them.
enum Place: CaseIterable, Sendable {
    case file
    case memory

    /// Opens a database with the tables of the scripted day.
    func open(_ folder: StoreFolder, library: SQLiteLibrary = .system) async throws -> Database {
        try await Database.open(at: self == .file ? folder.file : nil, library: library, prepare: prepareItems)
    }
}

/// Creates a table of items.
let prepareItems: @Sendable (Connection) throws(StoreError) -> Void = { (connection) throws(StoreError) in
    try connection.execute("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, body BLOB)")
}

extension Connection {
    /// The ids of the items, in their order.
    var items: [Int64] {
        get throws(StoreError) { try query("SELECT id FROM item ORDER BY id") { row in row.integer(0) } }
    }

    /// Inserts an item.
    func insert(_ id: Int64) throws(StoreError) {
        try execute("INSERT INTO item (id, body) VALUES (?, ?)", [.integer(id), .text("item \(id)")])
    }
}

extension Database {
    /// The ids of the items, in their order.
    var items: [Int64] {
        get async throws(StoreError) { try await read { (connection) throws(StoreError) in try connection.items } }
    }

    /// Inserts an item.
    func insert(_ id: Int64) async throws(StoreError) {
        try await write { (transaction) throws(StoreError) in try transaction.connection.insert(id) }
    }
}

extension StoreError {
    /// The reason of a failure of the database.
    var reason: DatabaseFailure.Reason? {
        guard case .database(let failure) = self else { return nil }
        return failure.reason
    }
}

/// Returns the reason for which work fails; nil if it succeeds.
func reason(_ work: () async throws -> Void) async -> StoreError.DatabaseFailure.Reason? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? StoreError)?.reason
    }
}
