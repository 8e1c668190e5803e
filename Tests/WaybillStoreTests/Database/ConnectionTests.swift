import Foundation
import Testing
import WaybillStore

@Suite("Database connections")
struct ConnectionTests {
    private func withConnection(_ body: @escaping @Sendable (Connection) throws(StoreError) -> Void) async throws {
        let database = try await Database.open(at: nil, prepare: prepareItems)
        try await database.write { (transaction) throws(StoreError) in try body(transaction.connection) }
        await database.close()
    }

    static let values: [DatabaseValue] = [
        .null, .integer(0), .integer(.max), .integer(.min), .real(-0.25), .real(.infinity), .text(""), .text("Grüße 🌍"),
        .text("a\u{0}b"), .blob(Data()), .blob(Data([0, 255, 10])), .text(String(repeating: "x", count: 100_000)),
    ]

    @Test("A bound value reads back unchanged", arguments: values)
    func roundTrip(_ value: DatabaseValue) async throws {
        try await withConnection { (connection) throws(StoreError) in
            let found = try connection.first("SELECT ?", [value]) { row in row[0] }
            #expect(found == value)
        }
    }

    @Test("A column of another type, or one that does not exist, is nil")
    func otherTypes() async throws {
        try await withConnection { (connection) throws(StoreError) in
            try connection.forEach("SELECT 7, 'seven', x'07', NULL, 0.5") { row in
                #expect(row.count == 5)
                let integers = (0..<5).map { row.integer($0) }
                #expect(integers == [7, nil, nil, nil, nil])
                let reals = (0..<5).map { row.real($0) }
                #expect(reals == [7, nil, nil, nil, 0.5])
                let texts = (0..<5).map { row.text($0) }
                #expect(texts == [nil, "seven", nil, nil, nil])
                let blobs = (0..<5).map { row.blob($0) }
                #expect(blobs == [nil, Data("seven".utf8), Data([7]), nil, nil])
                let outside = [row[5], row[-1]]
                #expect(outside == [.null, .null])
                let count = row.withBytes(1) { $0.count }
                #expect(count == 5)
                return true
            }
        }
    }

    @Test("A nested query with the same text has separate rows")
    func nested() async throws {
        try await withConnection { (connection) throws(StoreError) in
            for id in 1...3 { try connection.insert(Int64(id)) }
            let counts = try connection.query("SELECT id FROM item WHERE id > ?", [0]) { (row) throws(StoreError) in
                let id = row.integer(0) ?? 0
                return try connection.query("SELECT id FROM item WHERE id > ?", [.integer(id)]) { $0.integer(0) }.count
            }
            #expect(counts == [2, 1, 0])
        }
    }

    @Test("A query that its closure ends early can run again")
    func endedEarly() async throws {
        try await withConnection { (connection) throws(StoreError) in
            for id in 1...3 { try connection.insert(Int64(id)) }
            for _ in 0..<3 {
                let first = try connection.first("SELECT id FROM item ORDER BY id") { row in row.integer(0) }
                #expect(first == 1)
            }
            let second = try connection.first("SELECT id FROM item ORDER BY id") { row in
                row.integer(0).flatMap { $0 > 1 ? $0 : nil }
            }
            #expect(second == 2)
        }
    }

    @Test("All statements run, even if there are more than the statement cache holds")
    func manyStatements() async throws {
        try await withConnection { (connection) throws(StoreError) in
            for number in 0..<1000 {
                let found = try connection.first("SELECT \(number)") { row in row.integer(0) }
                #expect(found == Int64(number))
            }
        }
    }

    @Test("The change count and the inserted row ID are those of the last statement")
    func counts() async throws {
        try await withConnection { (connection) throws(StoreError) in
            for id in [5, 6, 70] { try connection.insert(Int64(id)) }
            #expect(connection.lastInsertedRow == 70)
            try connection.execute("UPDATE item SET body = NULL WHERE id < 10")
            #expect(connection.changes == 2)
        }
    }

    @Test("A script may contain several statements and comments")
    func script() async throws {
        try await withConnection { (connection) throws(StoreError) in
            try connection.execute(
                script: "-- a\nCREATE TABLE a (x); CREATE TABLE b (x);;\nINSERT INTO b VALUES (1); -- c"
            )
            let count = try connection.first("SELECT count(*) FROM b") { row in row.integer(0) }
            #expect(count == 1)
        }
    }

    @Test(
        "A statement that cannot be prepared throws an error with SQLite's message",
        arguments: [
            ("SELECT absent", "no such column"), ("SELEC", "syntax error"),
            ("SELECT 1; SELECT 2", "exactly one statement"),
            ("SELECT ?", "0 values do not match"), ("", "exactly one statement"),
        ]
    )
    func invalid(sql: String, message: String) async throws {
        try await withConnection { (connection) throws(StoreError) in
            do throws(StoreError) {
                try connection.execute(sql)
                Issue.record("no error")
            } catch {
                #expect(error.reason == .other)
                #expect("\(error)".contains(message))
            }
        }
    }
}
