import WaybillSystem

/// The expected format of a database.
struct DatabaseFormat: Sendable {
    /// The number that identifies a file as a store: "WbSt".
    static let applicationID: Int64 = 0x5762_5374

    /// The version of the tables, stored as `user_version`.
    let version: Int64
}

extension Connection {
    /// The contents of a file according to its header.
    private enum Contents {
        case nothing
        case format(Int64)
    }

    /// Configures the connection for writing and checkpointing.
    ///
    /// - Parameters:
    ///   - format: the format of the file after the call.
    ///   - prepare: creates or migrates the tables, in a transaction. `user_version` is the version of the file, 0 for
    ///     a new one.
    /// - Throws: ``StoreError``. If the file is not a store, nothing is written.
    func becomeWriter(
        _ format: DatabaseFormat,
        prepare: (Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Write nothing before the file is known to be empty or a store.
        _ = try contents(format)
        if path != nil {
            let mode = try first("PRAGMA journal_mode = WAL") { row in row.text(0) }
            guard mode == "wal" else {
                throw .database(.unavailable, "the file system lacks shared memory, which WAL requires", path: path)
            }
            // With a lower setting, a power failure can lose the last commits.
            try execute("PRAGMA synchronous = FULL")
            // On Apple platforms, `fsync` leaves data in the disk's cache. On other platforms, this has no effect.
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
    /// It never checkpoints, because two checkpointing connections can damage the log in SQLite before 3.51.3.
    func becomeReader() throws(StoreError) {
        try execute("PRAGMA query_only = ON")
        try execute("PRAGMA wal_autocheckpoint = 0")
        try keepTemporaryTablesInMemory()
        isOpening = false
    }

    /// Checks the format of a file, for a process that only reads it.
    func check(_ format: DatabaseFormat) throws(StoreError) {
        switch try contents(format) {
        case .format(format.version): break
        case .nothing: throw .database(.unavailable, "no store has written the file yet", path: path)
        case .format(let version):
            throw .database(
                .unavailable,
                "the file has format \(version); a store with write access must migrate it to \(format.version)",
                path: path
            )
        }
    }

    /// Keeps sorted and grouped rows in memory, rather than in files in the system's temporary folder.
    private func keepTemporaryTablesInMemory() throws(StoreError) { try execute("PRAGMA temp_store = MEMORY") }

    private func contents(_ format: DatabaseFormat) throws(StoreError) -> Contents {
        let application = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if application == DatabaseFormat.applicationID {
            guard version <= format.version else {
                throw .database(
                    .newerFormat,
                    "the file has format \(version); this version of Waybill supports at most \(format.version)",
                    path: path
                )
            }
            return .format(version)
        }
        let tables = try number("SELECT count(*) FROM sqlite_master")
        guard application == 0, version == 0, tables == 0 else {
            throw .database(.notADatabase, "the file is a database created by another program", path: path)
        }
        return .nothing
    }

    private func number(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { row in row.integer(0) } ?? 0
    }

    /// Sets a number in the header unless it already has the value, to avoid a write whenever a file is opened.
    private func set(_ pragma: String, _ value: Int64) throws(StoreError) {
        guard try number("PRAGMA \(pragma)") != value else { return }
        try execute("PRAGMA \(pragma) = \(value)")
    }
}
