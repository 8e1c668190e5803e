import WaybillSystem

/// The expected format of a database.
struct DatabaseFormat: Sendable {
    /// The `application_id` of a store's file: the bytes of "WbSt".
    static let applicationID: Int64 = 0x5762_5374

    /// The version of the tables, stored as `user_version`.
    let version: Int64
}

extension Connection {
    /// The contents of a file according to its header.
    private enum Contents {
        case empty
        case format(Int64)
    }

    /// Configures the connection for writing and checkpointing.
    ///
    /// - Parameters:
    ///   - format: the format of the file after the call.
    ///   - prepare: creates or migrates the tables, in a transaction. `user_version` is the file's version, 0 for a new
    ///     file.
    /// - Throws: ``StoreError``. If the file is not a store, nothing is written.
    func becomeWriter(
        _ format: DatabaseFormat,
        prepare: (Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Write nothing until the file is known to be empty or a store.
        _ = try contents(format)
        if path != nil {
            let mode = try first("PRAGMA journal_mode = WAL") { row in row.text(0) }
            guard mode == "wal" else {
                throw .database(
                    .unavailable,
                    "the file system does not support the shared memory of SQLite's write-ahead log; use a folder on a"
                        + " local disk",
                    path: path
                )
            }
            // With a lower setting, a power failure can lose the last commits.
            try execute("PRAGMA synchronous = FULL")
            // On Apple platforms, `fsync` leaves data in the disk's cache. These settings have no effect elsewhere.
            try execute("PRAGMA fullfsync = ON")
            try execute("PRAGMA checkpoint_fullfsync = ON")
        }
        try keepTemporaryTablesInMemory()
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try prepare(self)
            try set("application_id", DatabaseFormat.applicationID)
            try set("user_version", format.version)
            try execute("COMMIT")
        } catch {
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
        checkpointsOnClose = true
        isOpening = false
    }

    /// Configures the connection for reading.
    ///
    /// It never checkpoints, because before SQLite 3.51.3, two checkpointing connections can damage the log.
    func becomeReader() throws(StoreError) {
        try execute("PRAGMA query_only = ON")
        try execute("PRAGMA wal_autocheckpoint = 0")
        try keepTemporaryTablesInMemory()
        isOpening = false
    }

    /// Checks the format of the file for a process that only reads it.
    func check(_ format: DatabaseFormat) throws(StoreError) {
        switch try contents(format) {
        case .format(format.version): break
        case .empty:
            throw .database(.unavailable, "the file is empty; first open it as a store with write access", path: path)
        case .format(let version):
            throw .database(
                .unavailable,
                "the file has format \(version); open it with write access first, to migrate it to \(format.version)",
                path: path
            )
        }
    }

    /// Sorts and groups rows in memory, rather than in files in the system's temporary folder.
    private func keepTemporaryTablesInMemory() throws(StoreError) { try execute("PRAGMA temp_store = MEMORY") }

    private func contents(_ format: DatabaseFormat) throws(StoreError) -> Contents {
        let application = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if application == DatabaseFormat.applicationID {
            guard version <= format.version else {
                throw .database(
                    .newerFormat,
                    "the file has format \(version), but this version of Waybill supports formats up to"
                        + " \(format.version)",
                    path: path
                )
            }
            return .format(version)
        }
        let tables = try number("SELECT count(*) FROM sqlite_master")
        guard application == 0, version == 0, tables == 0 else {
            throw .database(.notADatabase, "the file is a database created by another program", path: path)
        }
        return .empty
    }

    private func number(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { row in row.integer(0) } ?? 0
    }

    /// Sets a number in the header if it differs, so that opening an unchanged file does not write to it.
    private func set(_ pragma: String, _ value: Int64) throws(StoreError) {
        guard try number("PRAGMA \(pragma)") != value else { return }
        try execute("PRAGMA \(pragma) = \(value)")
    }
}
