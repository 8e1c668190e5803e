import Foundation
import TestSupport
import Testing
import WaybillStore

@testable import struct WaybillStore.DatabaseFormat

@Suite("Database files", .inTurn)
struct DatabaseFileTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func opening() async -> StoreError.DatabaseFailure.Reason? {
        await reason { await (try Place.file.open(folder)).close() }
    }

    @Test("Only the owner can access the files")
    func permissions() async throws {
        let database = try await Place.file.open(folder)
        try await database.insert(1)
        _ = try await database.items
        let names = try folder.names
        #expect(names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.lock"])
        for name in names { #expect(try folder.permissions(of: name) == 0o600, "\(name)") }
        await database.close()
    }

    @Test("Missing folders are created with access only for their owner")
    func missingFolders() async throws {
        let file = folder.url.appendingPathComponent("a/b/store.sqlite")
        let database = try await Database.open(at: file, prepare: prepareItems)
        #expect(try folder.permissions(of: "a") == 0o700)
        #expect(try folder.permissions(of: "a/b") == 0o700)
        await database.close()
    }

    @Test("An empty file is a new database")
    func empty() async throws {
        try Data().write(to: folder.file)
        #expect(await opening() == nil)
        #expect(await opening() == nil)
    }

    @Test(
        "A file that is not a database is rejected and left unchanged",
        arguments: [
            "hello", "SQLite format 3\u{0}", String(repeating: "A text of another program.\n", count: 1000),
            "SQLite format 3\u{0}" + String(repeating: "\u{1}", count: 5000),
        ]
    )
    func text(_ text: String) async throws {
        try Data(text.utf8).write(to: folder.file)
        #expect(await opening() == .notADatabase)
        #expect(try Data(contentsOf: folder.file) == Data(text.utf8))
    }

    @Test(
        "A truncated database is reported as damaged and left unchanged",
        arguments: Thoroughness.some([50, 600, 4096, 5000, 8192], oneIn: 2)
    )
    func truncated(length: Int) async throws {
        let database = try await Place.file.open(folder)
        for id in 0..<500 as Range<Int64> { try await database.insert(id) }
        await database.close()
        let bytes = try Data(contentsOf: folder.file).prefix(length)
        try bytes.write(to: folder.file)
        let reason = await opening()
        #expect(reason == .corrupt || reason == .notADatabase)
        #expect(try Data(contentsOf: folder.file) == bytes)
    }

    @Test("A database with a damaged page opens, and reading the page throws")
    func damaged() async throws {
        let database = try await Place.file.open(folder)
        for id in 0..<2000 as Range<Int64> { try await database.insert(id) }
        await database.close()
        var bytes = try Data(contentsOf: folder.file)
        bytes.replaceSubrange(8192..<20000, with: Data(repeating: 0xAB, count: 20000 - 8192))
        try bytes.write(to: folder.file)
        let again = try await Place.file.open(folder)
        #expect(await reason { _ = try await again.items } == .corrupt)
        await again.close()
    }

    @Test(
        "Another program's database is rejected and left unchanged",
        arguments: [
            "CREATE TABLE other (x)", "PRAGMA application_id = 12", "PRAGMA user_version = 3",
            "PRAGMA journal_mode = WAL; CREATE TABLE other (x); INSERT INTO other VALUES (1)",
        ]
    )
    func foreign(script: String) async throws {
        try await Self.makeDatabase(at: folder.file, script)
        let bytes = try Data(contentsOf: folder.file)
        #expect(await opening() == .notADatabase)
        #expect(try Data(contentsOf: folder.file) == bytes)
    }

    @Test("A database with a newer format is rejected and left unchanged")
    func newer() async throws {
        let id = DatabaseFormat.applicationID
        try await Self.makeDatabase(
            at: folder.file,
            "PRAGMA application_id = \(id); PRAGMA user_version = \(Database.formatVersion + 1)"
        )
        let bytes = try Data(contentsOf: folder.file)
        #expect(await opening() == .newerFormat)
        #expect(try Data(contentsOf: folder.file) == bytes)
    }

    @Test("A folder, a path through a file, and a remote URL are unavailable")
    func unavailable() async throws {
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
        #expect(await opening() == .unavailable)
        try Data().write(to: folder.url.appendingPathComponent("file"))
        let inside = folder.url.appendingPathComponent("file/store.sqlite")
        #expect(await reason { _ = try await Database.open(at: inside, prepare: prepareItems) } == .unavailable)
        let remote = try #require(URL(string: "https://shop.example/store.sqlite"))
        #expect(await reason { _ = try await Database.open(at: remote, prepare: prepareItems) } == .unavailable)
    }

    @Test("A full disk fails only the writes that need space")
    func full() async throws {
        let database = try await Place.file.open(folder)
        // The page limit acts like a full disk: SQLite rolls the transaction back.
        try await database.write { (transaction) throws(StoreError) in
            try transaction.connection.insert(1)
        }
        try await database.write { (transaction) throws(StoreError) in
            try transaction.connection.execute("PRAGMA max_page_count = 10")
        }
        let large = await reason {
            try await database.write { (transaction) throws(StoreError) in
                try transaction.connection.execute("INSERT INTO item VALUES (2, zeroblob(100000))")
            }
        }
        #expect(large == .full)
        try await database.insert(3)
        #expect(try await database.items == [1, 3])
        await database.close()
    }

    /// Creates a database without the settings of a store.
    ///
    /// The `sqlite3` tool may not be installed.
    private static func makeDatabase(at file: URL, _ script: String) async throws {
        try Data().write(to: file)
        try RawConnection(path: file.path).execute(script)
    }
}
