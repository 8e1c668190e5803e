import Waybill
import WaybillSystem

// The file of a store: read by another process, erased, set aside.
extension Store {
    /// Opens the store of another process for reading, such as that of an app in its widget.
    ///
    /// It sees what the other process has committed at the time of each read; its own observers are not told of that
    /// process's changes. Nothing is sent or fetched.
    ///
    /// - Parameters:
    ///   - folder: the folder of the store.
    ///   - user: the id of the user whose rows are read; nil for an app without users.
    /// - Returns: the store; each write fails with ``StoreError/database(_:)`` and the reason `readOnly`.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if no process has made the store yet;
    ///   ``StoreError/clause(_:)`` if the id of the user is empty.
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

    /// Closes the store, and removes its file and its journals, of all users.
    ///
    /// - Parameter discardsPendingWrites: whether writes that no server has are lost; if not, the store stays open and
    ///   as it is while there are some.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with their number; ``StoreError/database(_:)`` if they cannot be
    ///   counted, or a file cannot be removed.
    public func erase(discardingPendingWrites discardsPendingWrites: Bool = false) async throws(StoreError) {
        if core.isReadOnly {
            throw .database(.readOnly, "the store was opened for reading", path: core.database.path)
        }
        if !discardsPendingWrites {
            let count = try await core.read { (connection) throws(StoreError) in try connection.countOfUnsentWrites() }
            if count > 0 { throw .unsentWrites(count) }
        }
        await close()
        guard let path = core.database.path else { return }
        // A write may have been added until the store was closed.
        try DatabaseFile(URL(fileURLWithPath: path)).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Removes the file and the journals of a store that is not open, of all users.
    ///
    /// - Parameters:
    ///   - folder: the folder; one without a store is left as it is.
    ///   - discardsPendingWrites: whether writes that no server has are lost; if not, a store with some stays as it is.
    /// - Throws: ``StoreError/unsentWrites(_:)`` with their number; ``StoreError/database(_:)``, with the reason `busy`
    ///   if the store is open, and that of the damage if its writes cannot be counted.
    public static func erase(
        at folder: URL,
        discardingPendingWrites discardsPendingWrites: Bool = false
    ) throws(StoreError) {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try DatabaseFile(file).erase(discardsPendingWrites: discardsPendingWrites)
    }

    /// Moves the file and the journals of a store to another name, for one that is damaged and cannot be opened.
    ///
    /// Afterwards the folder has no store, and ``init(at:user:settings:clock:dates:randomNumberGenerator:)`` makes one.
    /// `sqlite3 FILE .recover` reads what is left of the old one.
    ///
    /// - Parameter folder: the folder.
    /// - Returns: the file that has the store now; nil if there was none.
    /// - Throws: ``StoreError/database(_:)``, with the reason `busy` if the store is open.
    public static func setAside(at folder: URL) throws(StoreError) -> URL? {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try DatabaseFile(file).setAside()
    }

    /// Copies the store to another file, as it is at one moment, while it stays open.
    ///
    /// A copy of the file `store.sqlite` by other means lacks what is in the files beside it, perhaps everything. In a
    /// folder of its own and with the name `store.sqlite` the copy is a store. Two stores with the same pending writes
    /// send them twice: open a copy only in place of its original.
    ///
    /// - Parameter file: the new file, in a folder that exists.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if there is a file of that name, which is
    ///   not changed. A part of a copy is removed.
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

    /// Returns the items, writes and requests that were damaged in the file, in the order in which they were found.
    ///
    /// Those of another user are left out until the store is that user's.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func damagedRecords() async throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        try await core.damagedRecords()
    }

    /// Removes the record of a damaged item, write or request for good.
    ///
    /// - Parameter id: the number of the record; one that does not exist changes nothing.
    /// - Throws: ``StoreError/database(_:)``.
    public func discardDamagedRecord(_ id: SynchronizationReport.DamagedRecord.ID) async throws(StoreError) {
        try await core.write { (write) throws(StoreError) in
            try write.connection.execute("DELETE FROM damaged WHERE number = ?", [.integer(id)])
        }
    }

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("store.sqlite", isDirectory: false) }
}

extension DatabaseFile {
    /// The file, and those that SQLite has beside it.
    private var paths: [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// Removes the files, those with contents first.
    fileprivate func erase(discardsPendingWrites: Bool) throws(StoreError) {
        let ownership = try own()
        try withExtendedLifetime(ownership) { () throws(StoreError) in
            if !discardsPendingWrites {
                let count = try countOfUnsentWrites()
                if count > 0 { throw .unsentWrites(count) }
            }
            for path in paths + [path + ".lock"] where FileManager.default.fileExists(atPath: path) {
                try perform { try FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    /// Gives the files another name, and returns it.
    fileprivate func setAside() throws(StoreError) -> URL {
        let ownership = try own()
        return try withExtendedLifetime(ownership) { () throws(StoreError) in
            let number = (1...).first { !FileManager.default.fileExists(atPath: "\(path).damaged-\($0)") } ?? 0
            let target = "\(path).damaged-\(number)"
            // The journals first: without them, a file that stays would lack what was confirmed.
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
