import Waybill
import WaybillSystem

// Reading another process's store, and backing up, erasing and setting aside a store's files.
extension Store {
    /// Opens another process's store for reading, such as an app's store in its widget.
    ///
    /// Each read includes everything that the other process has committed so far. Observers are not notified of its
    /// changes, and nothing is sent or fetched.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user whose rows to read; nil for an app without users.
    /// - Returns: a read-only store. Writes throw ``StoreError/database(_:)`` with the reason `readOnly`.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if the store does not exist yet;
    ///   ``StoreError/clause(_:)`` if the user id is empty.
    public static func reading(at folder: URL, user: String? = nil) async throws(StoreError) -> Store {
        let user = try key(of: user)
        let database = try await Database.open(
            at: file(in: folder),
            access: .reading,
            prepare: { (_) throws(StoreError) in }
        )
        let settings = StoreSettings(sendsAutomatically: false)
        return Store(database, user: user, settings, AnyClock(ContinuousClock()), .system, .system)
    }

    /// Closes the store and removes its files, including the rows and writes of all users.
    ///
    /// - Parameter discardsPendingWrites: whether to discard unsent writes. If false and there are any, nothing is
    ///   removed. The store then stays open, unless the first of them was added while the store was closing.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with the number of unsent writes; ``StoreError/database(_:)`` if they
    ///   cannot be counted or a file cannot be removed.
    public func erase(discardingPendingWrites discardsPendingWrites: Bool = false) async throws(StoreError) {
        if core.isReadOnly {
            throw .database(
                .readOnly,
                "the store was opened with Store.reading(at:); erase it in the process that writes to it",
                path: core.database.path
            )
        }
        if !discardsPendingWrites {
            let count = try await core.read { (connection) throws(StoreError) in try connection.unsentWriteCount() }
            if count > 0 { throw .unsentWrites(count) }
        }
        await close()
        guard let path = core.database.path else { return }
        // A write may have been added while the store was closing.
        try DatabaseFile(URL(fileURLWithPath: path)).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Removes the files of a closed store, including the rows and writes of all users.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store; if it contains no store, nothing happens.
    ///   - discardsPendingWrites: whether to discard unsent writes. If false and there are any, the store is left
    ///     unchanged.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with the number of unsent writes; ``StoreError/database(_:)``, with
    ///   the reason `busy` if the store is open, or with another reason if its writes cannot be counted or a file
    ///   cannot be removed.
    public static func erase(
        at folder: URL,
        discardingPendingWrites discardsPendingWrites: Bool = false
    ) throws(StoreError) {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try DatabaseFile(file).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Renames the files of a damaged store that cannot be opened.
    ///
    /// The next call to ``init(at:user:settings:clock:dates:randomNumberGenerator:)`` then creates a new store. To
    /// recover data from the old one, run `sqlite3 FILE .recover`.
    ///
    /// - Parameter folder: the folder that contains the store.
    /// - Returns: the renamed file; nil if the folder contains no store.
    /// - Throws: ``StoreError/database(_:)``, with the reason `busy` if the store is open, or `unavailable` if a file
    ///   cannot be renamed.
    public static func setAside(at folder: URL) throws(StoreError) -> URL? {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try DatabaseFile(file).setAside()
    }

    /// Copies an open store to another file.
    ///
    /// The copy is a consistent snapshot. Copying `store.sqlite` by other means misses the data in its journal files,
    /// possibly all of it. To open the copy, name it `store.sqlite` and put it in a separate folder. Two stores with
    /// the same pending writes send them twice, so open a copy only as a replacement for the original.
    ///
    /// - Parameter file: the file to create, in an existing folder.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if the file already exists; the existing
    ///   file is left unchanged. If copying fails, the incomplete copy is removed.
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

    /// Returns the items, writes and requests found damaged in the file, in the order of detection.
    ///
    /// Another user's records are omitted until the store is switched to that user.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func damagedRecords() async throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        try await core.damagedRecords()
    }

    /// Permanently removes a damaged item, write or request.
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
    /// The paths of the database file and its journals.
    private var paths: [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// Removes the database and its journals, and then the lock file.
    fileprivate func erase(discardsPendingWrites: Bool) throws(StoreError) {
        let fileLock = try lock()
        try withExtendedLifetime(fileLock) { () throws(StoreError) in
            if !discardsPendingWrites {
                let count = try unsentWriteCount()
                if count > 0 { throw .unsentWrites(count) }
            }
            for path in paths + [path + ".lock"] where FileManager.default.fileExists(atPath: path) {
                try perform { try FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    /// Renames the files, and returns the URL of the renamed database.
    fileprivate func setAside() throws(StoreError) -> URL {
        let fileLock = try lock()
        return try withExtendedLifetime(fileLock) { () throws(StoreError) in
            let number = (1...).first { !FileManager.default.fileExists(atPath: "\(path).damaged-\($0)") } ?? 0
            let target = "\(path).damaged-\(number)"
            // Rename the journals before the database: without them, the renamed database would lack committed data.
            for file in paths.reversed() where FileManager.default.fileExists(atPath: file) {
                let suffix = file.dropFirst(path.count)
                try perform { try FileManager.default.moveItem(atPath: file, toPath: target + suffix) }
            }
            return URL(fileURLWithPath: target)
        }
    }

    /// Returns the number of unsent writes in the file.
    private func unsentWriteCount() throws(StoreError) -> Int {
        let connection = try Connection(try SQLiteLibrary.system.loaded(), path: path)
        try connection.becomeReader()
        let tables = try connection.first("SELECT count(*) FROM sqlite_master WHERE name = 'damaged'") { $0.integer(0) }
        return tables == 0 ? 0 : try connection.unsentWriteCount()
    }

    private func perform(_ body: () throws -> Void) throws(StoreError) {
        do { try body() } catch {
            throw .database(.unavailable, "\(error)", path: path)
        }
    }
}
