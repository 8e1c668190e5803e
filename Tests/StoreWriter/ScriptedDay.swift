import WaybillStore

/// A fixed script of writes to a database, with a model of their results.
package enum ScriptedDay {
    /// The contents of the database: the rows by ID, and the outbox in order.
    package struct Contents: Hashable, Sendable {
        package var rows: [Int64: String] = [:]
        package var outbox: [String] = []

        package init() {}
    }

    /// A write in the script; each also adds an entry to the outbox.
    package enum Write: Hashable, Sendable {
        case insert(Int64, String)
        case update(Int64, String)
        case delete(Int64)
        case insertMany(ClosedRange<Int64>)
        /// A write that throws after it has changed everything.
        case fail
    }

    /// The error thrown by ``Write/fail``.
    package static let failure = StoreError.database(.other, "the write of the script fails", path: nil)

    /// The writes, in order.
    package static let writes: [Write] = [
        .insert(1, "lamp"), .insert(2, "table"), .update(1, "desk lamp"), .insertMany(10...14), .fail,
        .delete(2), .insert(3, String(repeating: "long ", count: 3000)), .update(3, "short"), .insert(2, "table again"),
    ]

    /// Creates the tables.
    package static let prepare: @Sendable (Connection) throws(StoreError) -> Void = { (connection) throws(StoreError) in
        try connection.execute(
            script: """
                CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);
                """
        )
    }

    /// Returns the contents after a successful write, or unchanged after ``Write/fail``.
    package static func contents(_ before: Contents, after write: Write) -> Contents {
        var contents = before
        switch write {
        case .insert(let id, let body): contents.rows[id] = body
        case .update(let id, let body): if contents.rows[id] != nil { contents.rows[id] = body }
        case .delete(let id): contents.rows[id] = nil
        case .insertMany(let ids): for id in ids { contents.rows[id] = "many \(id)" }
        case .fail: return before
        }
        contents.outbox.append(entry(of: write))
        return contents
    }

    /// Performs a write.
    package static func perform(_ write: Write, in transaction: Transaction) throws(StoreError) {
        let connection = transaction.connection
        let insert = "INSERT INTO row (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body"
        switch write {
        case .insert(let id, let body): try connection.execute(insert, [.integer(id), .text(body)])
        case .update(let id, let body):
            try connection.execute("UPDATE row SET body = ? WHERE id = ?", [.text(body), .integer(id)])
        case .delete(let id): try connection.execute("DELETE FROM row WHERE id = ?", [.integer(id)])
        case .insertMany(let ids):
            for id in ids { try connection.execute(insert, [.integer(id), .text("many \(id)")]) }
        case .fail: try connection.execute("DELETE FROM row")
        }
        try connection.execute("INSERT INTO outbox (entry) VALUES (?)", [.text(entry(of: write))])
        if write == .fail { throw failure }
    }

    /// Reads the contents.
    package static func contents(of connection: Connection) throws(StoreError) -> Contents {
        var contents = Contents()
        try connection.forEach("SELECT id, body FROM row") { row in
            contents.rows[row.integer(0) ?? 0] = row.text(1) ?? ""
            return true
        }
        contents.outbox = try connection.query("SELECT entry FROM outbox ORDER BY number") { row in row.text(0) }
        return contents
    }

    private static func entry(of write: Write) -> String {
        switch write {
        case .insert(let id, _): "insert \(id)"
        case .update(let id, _): "update \(id)"
        case .delete(let id): "delete \(id)"
        case .insertMany(let ids): "insert \(ids)"
        case .fail: "never"
        }
    }
}
