import WaybillSystem

/// The format that a database is to have.
struct DatabaseFormat: Sendable {
    /// The number that marks a file as one of a store: "WbSt".
    static let applicationID: Int64 = 0x5762_5374

    /// The version of the tables, which the file has as `user_version`.
    let version: Int64
}

extension Connection {
    /// The contents of a file, as far as its header tells.
    private enum Contents {
        case nothing
        case format(Int64)
    }

    /// Makes it the connection that writes and checkpoints.
    ///
    /// - Parameters:
    ///   - format: the format of the file, which it has afterwards.
    ///   - prepare: a closure that creates or migrates tables, in a transaction. `user_version` is that of the file, 0
    ///     for a new one.
    /// - Throws: ``StoreError``; nothing is written if the file is not one of a store.
    func becomeWriter(
        _ format: DatabaseFormat,
        prepare: (Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Nothing is written before the file is known to be ours.
        _ = try contents(format)
        if path != nil {
            let mode = try first("PRAGMA journal_mode = WAL") { row in row.text(0) }
            guard mode == "wal" else {
                throw .database(.unavailable, "the file system cannot share memory, which the log needs", path: path)
            }
            // Without it the last commits are lost by a power cut.
            try execute("PRAGMA synchronous = FULL")
            // On Apple's platforms `fsync` leaves the bytes in the memory of the disk; elsewhere this does nothing.
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

    /// Makes it a connection that reads.
    ///
    /// It never checkpoints, because two connections that do can damage the log in SQLite before 3.51.3.
    func becomeReader() throws(StoreError) {
        try execute("PRAGMA query_only = ON")
        try execute("PRAGMA wal_autocheckpoint = 0")
        try keepTemporaryTablesInMemory()
        isOpening = false
    }

    /// Checks that a file has the format, for a process that only reads it.
    func check(_ format: DatabaseFormat) throws(StoreError) {
        switch try contents(format) {
        case .format(format.version): break
        case .nothing: throw .database(.unavailable, "no store has written the file yet", path: path)
        case .format(let version):
            throw .database(
                .unavailable,
                "the file has format \(version); a store that may write has to bring it to \(format.version)",
                path: path
            )
        }
    }

    /// Sorted and grouped rows would be in files of the system's temporary folder otherwise.
    private func keepTemporaryTablesInMemory() throws(StoreError) { try execute("PRAGMA temp_store = MEMORY") }

    private func contents(_ format: DatabaseFormat) throws(StoreError) -> Contents {
        let application = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if application == DatabaseFormat.applicationID {
            guard version <= format.version else {
                throw .database(
                    .newerFormat,
                    "the file has format \(version), and \(format.version) is the latest that this version knows",
                    path: path
                )
            }
            return .format(version)
        }
        let tables = try number("SELECT count(*) FROM sqlite_master")
        guard application == 0, version == 0, tables == 0 else {
            throw .database(.notADatabase, "the file is the database of another program", path: path)
        }
        return .nothing
    }

    private func number(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { row in row.integer(0) } ?? 0
    }

    /// Sets a number of the header unless it has the value: otherwise each opening would write.
    private func set(_ pragma: String, _ value: Int64) throws(StoreError) {
        guard try number("PRAGMA \(pragma)") != value else { return }
        try execute("PRAGMA \(pragma) = \(value)")
    }
}
