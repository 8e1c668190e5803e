import Waybill
import WaybillSystem

// Reading a store from another process, backing it up, erasing it and setting it aside.
extension Store {
    /// Opens another process's store for reading, such as an app's store in its widget.
    ///
    /// Each read sees what the other process has committed by then. Observers are not notified of the other process's
    /// changes, and nothing is sent or fetched.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user whose rows are read; nil for an app without users.
    /// - Returns: a store whose writes all fail with ``StoreError/database(_:)`` and the reason `readOnly`.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if the store does not exist yet;
    ///   ``StoreError/clause(_:)`` if the user id is empty.
    public static func reading(at folder: URL, user: String? = nil) async throws(StoreError) -> Store {
        let user = try key(of: user)
        let database = try await Database.open(
            at: file(in: folder),
            access: .reading,
            prepare: { (_) throws(StoreError) in }
        )
        let settings = StoreSettings(sendsByItself: false)
        return Store(database, user: user, settings, AnyClock(ContinuousClock()), .system, .system)
    }

    /// Closes the store and removes its files, including the rows and writes of all users.
    ///
    /// - Parameter discardsPendingWrites: whether to discard writes that have not reached a server. If false and there
    ///   are such writes, nothing is removed. The store then stays open, unless the first such write was added while
    ///   the store was closing.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with the number of pending writes; ``StoreError/database(_:)`` if they
    ///   cannot be counted or a file cannot be removed.
    public func erase(discardingPendingWrites discardsPendingWrites: Bool = false) async throws(StoreError) {
        if core.isReadOnly {
            throw .database(.readOnly, "the store was opened for reading only", path: core.database.path)
        }
        if !discardsPendingWrites {
            let count = try await core.read { (connection) throws(StoreError) in try connection.countOfUnsentWrites() }
            if count > 0 { throw .unsentWrites(count) }
        }
        await close()
        guard let path = core.database.path else { return }
        // A write may have been added before the store was closed.
        try DatabaseFile(URL(fileURLWithPath: path)).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Removes the files of a store that is not open, including the rows and writes of all users.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store; if it contains no store, nothing happens.
    ///   - discardsPendingWrites: whether to discard writes that have not reached a server. If false and there are such
    ///     writes, the store is left unchanged.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with the number of pending writes; ``StoreError/database(_:)``, with
    ///   the reason `busy` if the store is open, or the reason why its writes cannot be counted.
    public static func erase(
        at folder: URL,
        discardingPendingWrites discardsPendingWrites: Bool = false
    ) throws(StoreError) {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try DatabaseFile(file).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Renames the files of a store that is damaged and cannot be opened.
    ///
    /// Afterwards the folder contains no store, and ``init(at:user:settings:clock:dates:randomNumberGenerator:)``
    /// creates a new one. Run `sqlite3 FILE .recover` to recover data from the old one.
    ///
    /// - Parameter folder: the folder that contains the store.
    /// - Returns: the renamed file; nil if the folder contains no store.
    /// - Throws: ``StoreError/database(_:)``, with the reason `busy` if the store is open.
    public static func setAside(at folder: URL) throws(StoreError) -> URL? {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try DatabaseFile(file).setAside()
    }

    /// Copies the store to another file while it stays open.
    ///
    /// The copy is a consistent snapshot. Copying `store.sqlite` by other means misses the data in its journal files,
    /// which can be all of the data. To open the copy, name it `store.sqlite` and place it in a separate folder. Two
    /// stores with the same pending writes send them twice, so open a copy only in place of its original.
    ///
    /// - Parameter file: the file to create, in an existing folder.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if the file already exists, which is left
    ///   unchanged. An incomplete copy is removed.
    public func backup(to file: URL) async throws(StoreError) {
        let target = try DatabaseFile(file)
        try target.createNew()
        do throws(StoreError) {
            try await core.database.read { (connection) throws(StoreError) in try connection.copy(to: target.path) }
        } catch {
            try? FileManager.default.removeItem(atPath: target.path)
            throw error
        }
    }

    /// Returns the items, writes and requests that were found damaged in the file, in the order of detection.
    ///
    /// Records of other users are omitted until the store is switched to them.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func damagedRecords() async throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        try await core.damagedRecords()
    }

    /// Permanently removes the record of a damaged item, write or request.
    ///
    /// - Parameter id: the number of the record; nothing happens if there is no such record.
    /// - Throws: ``StoreError/database(_:)``.
    public func discardDamagedRecord(_ id: SynchronizationReport.DamagedRecord.ID) async throws(StoreError) {
        try await core.write { (write) throws(StoreError) in
            try write.connection.execute("DELETE FROM damaged WHERE number = ?", [.integer(id)])
        }
    }

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("store.sqlite", isDirectory: false) }
}

extension DatabaseFile {
    /// The file and the journals that SQLite keeps beside it.
    private var paths: [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// Removes the database and its journals first, and then the lock file.
    fileprivate func erase(discardsPendingWrites: Bool) throws(StoreError) {
        let fileLock = try lock()
        try withExtendedLifetime(fileLock) { () throws(StoreError) in
            if !discardsPendingWrites {
                let count = try countOfUnsentWrites()
                if count > 0 { throw .unsentWrites(count) }
            }
            for path in paths + [path + ".lock"] where FileManager.default.fileExists(atPath: path) {
                try perform { try FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    /// Renames the files and returns the new path.
    fileprivate func setAside() throws(StoreError) -> URL {
        let fileLock = try lock()
        return try withExtendedLifetime(fileLock) { () throws(StoreError) in
            let number = (1...).first { !FileManager.default.fileExists(atPath: "\(path).damaged-\($0)") } ?? 0
            let target = "\(path).damaged-\(number)"
            // Rename the journals first: if one were left behind, the renamed file would lack committed data.
            for file in paths.reversed() where FileManager.default.fileExists(atPath: file) {
                let suffix = file.dropFirst(path.count)
                try perform { try FileManager.default.moveItem(atPath: file, toPath: target + suffix) }
            }
            return URL(fileURLWithPath: target)
        }
    }

    /// Returns the number of pending writes in the file.
    private func countOfUnsentWrites() throws(StoreError) -> Int {
        let connection = try Connection(try SQLiteLibrary.system.loaded(), path: path)
        try connection.becomeReader()
        let tables = try connection.first("SELECT count(*) FROM sqlite_master WHERE name = 'damaged'") { $0.integer(0) }
        return tables == 0 ? 0 : try connection.countOfUnsentWrites()
    }

    private func perform(_ body: () throws -> Void) throws(StoreError) {
        do { try body() } catch {
            throw .database(.unavailable, "\(error)", path: path)
        }
    }
}
