import WaybillSystem

/// The tables of a store's file.
///
/// `Documentation/Run/Storing.md` documents them for other programs. Any change requires a new format version.
enum StoreFormat {
    static let tables = [
        // `clock` counts commits, and `temporary` counts temporary ids.
        "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER) WITHOUT ROWID",
        // Rows and pending writes belong to the user of their collection.
        """
        CREATE TABLE collections (
            number INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, key TEXT NOT NULL, address TEXT NOT NULL,
            template TEXT NOT NULL, checksum INTEGER, UNIQUE (user, key)
        )
        """,
        // `document` is the local version; `base` is the server's version while writes are pending.
        """
        CREATE TABLE rows (
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, id TEXT NOT NULL,
            document TEXT NOT NULL, base TEXT, entity_tag TEXT, is_deleted INTEGER NOT NULL DEFAULT 0,
            pending INTEGER NOT NULL DEFAULT 0, generation INTEGER NOT NULL DEFAULT 0, fetched REAL, checksum INTEGER
        )
        """,
        "CREATE UNIQUE INDEX rows_by_id ON rows (collection, id)",
        "CREATE INDEX rows_pending ON rows (collection) WHERE pending > 0",
        """
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, row INTEGER NOT NULL,
            operation TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
            not_before REAL, is_delayed_by_server INTEGER NOT NULL, "references" TEXT NOT NULL, failure TEXT,
            theirs TEXT, newest TEXT, request INTEGER, is_alone INTEGER NOT NULL DEFAULT 0, twin INTEGER,
            checksum INTEGER
        )
        """,
        "CREATE INDEX outbox_by_row ON outbox (row)",
        "CREATE INDEX outbox_by_request ON outbox (request) WHERE request IS NOT NULL",
        // Requests in flight or with unknown outcomes.
        """
        CREATE TABLE requests (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, documents TEXT NOT NULL, entity_tag TEXT,
            writes TEXT NOT NULL, is_repeatable INTEGER NOT NULL, has_key INTEGER NOT NULL,
            losses INTEGER NOT NULL, inconclusive INTEGER NOT NULL, checksum INTEGER
        )
        """,
        // The temporary ids in pending writes, so that they can be replaced without a scan.
        """
        CREATE TABLE outbox_references (
            temporary TEXT NOT NULL, write INTEGER NOT NULL, PRIMARY KEY (temporary, write)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX outbox_references_by_write ON outbox_references (write)",
        // The number of outbox entries by state, for computing the status without a scan.
        """
        CREATE TABLE outbox_states (
            collection INTEGER NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (collection, state)
        ) WITHOUT ROWID
        """,
        """
        CREATE TRIGGER outbox_added AFTER INSERT ON outbox BEGIN
            INSERT INTO outbox_states VALUES (NEW.collection, NEW.state, 1)
                ON CONFLICT (collection, state) DO UPDATE SET count = count + 1;
        END
        """,
        """
        CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
            UPDATE outbox_states SET count = count - 1 WHERE collection = OLD.collection AND state = OLD.state;
            DELETE FROM outbox_references WHERE write = OLD.number;
        END
        """,
        """
        CREATE TRIGGER outbox_changed AFTER UPDATE OF state, collection ON outbox
        WHEN OLD.state <> NEW.state OR OLD.collection <> NEW.collection BEGIN
            UPDATE outbox_states SET count = count - 1 WHERE collection = OLD.collection AND state = OLD.state;
            INSERT INTO outbox_states VALUES (NEW.collection, NEW.state, 1)
                ON CONFLICT (collection, state) DO UPDATE SET count = count + 1;
        END
        """,
        // Temporary ids, and the permanent ids assigned by servers.
        """
        CREATE TABLE identifiers (
            temporary TEXT PRIMARY KEY, temporary_json TEXT NOT NULL, row INTEGER NOT NULL, permanent TEXT,
            permanent_json TEXT, checksum INTEGER
        ) WITHOUT ROWID
        """,
        "CREATE INDEX identifiers_open ON identifiers (temporary_json) WHERE permanent IS NULL",
        // Ids chosen by the app, if the server spells them differently.
        """
        CREATE TABLE spellings (
            collection INTEGER NOT NULL, id TEXT NOT NULL, row INTEGER NOT NULL, checksum INTEGER,
            PRIMARY KEY (collection, id)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE checkpoints (
            collection INTEGER PRIMARY KEY, since TEXT, cursor TEXT, validator TEXT, generation INTEGER NOT NULL,
            completed REAL, checksum INTEGER
        )
        """,
        // The rows of items whose last read had status 403.
        "CREATE TABLE forbidden (row INTEGER PRIMARY KEY)",
        "CREATE TABLE indexes (number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, name TEXT NOT NULL)",
        "CREATE UNIQUE INDEX indexes_by_name ON indexes (collection, name)",
        // A null value is stored as the BLOB x'', because a primary key cannot be null.
        """
        CREATE TABLE index_entries (
            "index" INTEGER NOT NULL, value NOT NULL, row INTEGER NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY ("index", value, row)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX index_entries_by_row ON index_entries (row)",
        // Damaged rows of `rows`, `outbox` and `requests`, as SQL literals for manual recovery.
        """
        CREATE TABLE damaged (
            number INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL, user TEXT, template TEXT, item TEXT,
            content TEXT NOT NULL
        )
        """,
    ]

    /// Creates the tables if the file is new, and adds the checksum triggers to the connection.
    static func prepare(_ connection: Connection) throws(StoreError) {
        let isNew = try connection.first("PRAGMA user_version", [], { $0.integer(0) }) == 0
        if isNew { for table in tables { try connection.execute(table) } }
        try connection.addChecksumTriggers()
        if isNew { try connection.execute("INSERT INTO counters (name, value) VALUES ('clock', 0), ('temporary', 0)") }
    }
}
