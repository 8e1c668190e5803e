import Waybill
import WaybillSystem

// The file of a store: read by another process, erased, set aside.
extension Store {
    /// Opens the store of another process for reading, such as that of an app in its widget.
    ///
    /// It sees what the other process has committed at the time of each read; its own observers are not told of that
    /// process's changes. Nothing is sent or fetched.
    ///
    /// - Parameter folder: the folder of the store.
    /// - Returns: the store; each write fails with ``StoreError/database(_:)`` and the reason `readOnly`.
    /// - Throws: ``StoreError/database(_:)``, with the reason `unavailable` if no process has made the store yet.
    public static func reading(at folder: URL) async throws(StoreError) -> Store {
        let database = try await Database.open(
            at: file(in: folder),
            access: .reading,
            prepare: { (_) throws(StoreError) in }
        )
        return Store(database, StoreSettings(sendsByItself: false), AnyClock(ContinuousClock()), .system, .system)
    }

    /// Closes the store, and removes its file and its journals: what was not sent is lost.
    ///
    /// For the end of a session: the store of another user is another folder.
    ///
    /// - Throws: ``StoreError/database(_:)`` if a file cannot be removed.
    public func erase() async throws(StoreError) {
        await close()
        guard let path = core.database.path else { return }
        if core.isReadOnly { throw .database(.readOnly, "the store was opened for reading", path: path) }
        try DatabaseFile(URL(fileURLWithPath: path)).erase()
    }

    /// Removes the file and the journals of a store that is not open: what was not sent is lost.
    ///
    /// - Parameter folder: the folder; one without a store is left as it is.
    /// - Throws: ``StoreError/database(_:)``, with the reason `busy` if the store is open.
    public static func erase(at folder: URL) throws(StoreError) {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try DatabaseFile(file).erase()
    }

    /// Moves the file and the journals of a store to another name, for one that is damaged and cannot be opened.
    ///
    /// Afterwards the folder has no store, and ``init(at:settings:clock:dates:randomNumberGenerator:)`` makes a new
    /// one. `sqlite3 FILE .recover` reads what is left of the old one.
    ///
    /// - Parameter folder: the folder.
    /// - Returns: the file that has the store now; nil if there was none.
    /// - Throws: ``StoreError/database(_:)``, with the reason `busy` if the store is open.
    public static func setAside(at folder: URL) throws(StoreError) -> URL? {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try DatabaseFile(file).setAside()
    }

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("store.sqlite", isDirectory: false) }
}

extension DatabaseFile {
    /// The file, and those that SQLite has beside it.
    private var paths: [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// Removes the files, those with contents first.
    fileprivate func erase() throws(StoreError) {
        let ownership = try own()
        try withExtendedLifetime(ownership) { () throws(StoreError) in
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

    private func perform(_ body: () throws -> Void) throws(StoreError) {
        do { try body() } catch {
            throw .database(.unavailable, "\(error)", path: path)
        }
    }
}
