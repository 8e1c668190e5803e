import WaybillSystem

/// The tables of a store's file.
///
/// `Documentation/Run/Storing.md` describes them for other programs; a change of them is a new version.
enum StoreFormat {
    static let tables = [
        // `clock` counts the commits; `temporary` the temporary ids.
        "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        "INSERT INTO counters VALUES ('clock', 0), ('temporary', 0)",
        "CREATE TABLE collections (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, template TEXT NOT NULL)",
        // `document` is the item as it is seen; `base` is the server's version while writes are pending.
        """
        CREATE TABLE rows (
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, id TEXT NOT NULL,
            document TEXT NOT NULL, base TEXT, entity_tag TEXT, is_deleted INTEGER NOT NULL DEFAULT 0,
            pending INTEGER NOT NULL DEFAULT 0, generation INTEGER NOT NULL DEFAULT 0, fetched REAL
        )
        """,
        "CREATE UNIQUE INDEX rows_by_id ON rows (collection, id)",
        "CREATE INDEX rows_pending ON rows (collection) WHERE pending > 0",
        """
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, row INTEGER NOT NULL,
            operation TEXT NOT NULL, content TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
            attempts INTEGER NOT NULL, not_before REAL, is_delayed_by_server INTEGER NOT NULL, "references" TEXT NOT NULL,
            failure TEXT, theirs TEXT, batch INTEGER
        )
        """,
        "CREATE INDEX outbox_by_row ON outbox (row)",
        // The ids that stand for those of a server, and what the server gave.
        """
        CREATE TABLE identifiers (
            temporary TEXT PRIMARY KEY, temporary_json TEXT NOT NULL, row INTEGER NOT NULL, permanent TEXT,
            permanent_json TEXT
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE checkpoints (
            collection INTEGER PRIMARY KEY, since TEXT, cursor TEXT, validator TEXT, generation INTEGER NOT NULL,
            completed REAL
        )
        """,
        "CREATE TABLE indexes (number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, name TEXT NOT NULL)",
        "CREATE UNIQUE INDEX indexes_by_name ON indexes (collection, name)",
        // A value is BLOB x'' if it is null: a primary key has no nulls.
        """
        CREATE TABLE index_entries (
            "index" INTEGER NOT NULL, value NOT NULL, row INTEGER NOT NULL, PRIMARY KEY ("index", value, row)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX index_entries_by_row ON index_entries (row)",
    ]

    /// Creates the tables of a new file.
    static func prepare(_ connection: Connection) throws(StoreError) {
        guard try connection.first("PRAGMA user_version", [], { $0.integer(0) }) == 0 else { return }
        for table in tables { try connection.execute(table) }
    }
}
