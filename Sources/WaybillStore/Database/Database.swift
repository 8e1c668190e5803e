import Waybill
import WaybillSystem

/// A database in a file or in memory: the connection that writes, and those that read.
///
/// It is a file of SQLite in the mode of a write-ahead log. One connection writes and checkpoints. The others only
/// read, each in a snapshot, and never wait for the writer.
package final class Database: Sendable {
    /// The use that a process makes of the file.
    package enum Access: Sendable, Hashable {
        /// It reads and writes, as the only one that writes.
        case writing
        /// It reads what another process has committed, such as a widget.
        case reading
    }

    /// The version of the tables: a file with a later one is rejected.
    package static let formatVersion: Int64 = 1

    /// The path of the file; nil for a database in memory.
    package let path: String?
    private let writer: Writer?
    private let readers: ReaderPool?

    /// Whether it was opened for reading.
    var isReadOnly: Bool { writer == nil }

    private init(_ path: String?, _ writer: Writer?, _ readers: ReaderPool?) {
        self.path = path
        self.writer = writer
        self.readers = readers
    }

    /// Opens a database, and creates it unless it exists.
    ///
    /// - Parameters:
    ///   - file: the file; nil for a database in memory, which has one connection.
    ///   - library: the SQLite that is used.
    ///   - access: `reading` for a process beside the one that writes; the file has to exist.
    ///   - formatVersion: the version of the tables that `prepare` makes.
    ///   - prepare: a closure that creates or migrates tables, in a transaction, before anything else. `PRAGMA
    ///     user_version` is the version of the file's tables, 0 for a new file. It is not called for `reading`.
    /// - Returns: the open database.
    /// - Throws: ``StoreError``. A file that is not a database of a store, or of a later version, is not changed.
    package static func open(
        at file: URL?,
        library: SQLiteLibrary = .system,
        access: Access = .writing,
        formatVersion: Int64 = Database.formatVersion,
        prepare: @escaping @Sendable (Connection) throws(StoreError) -> Void
    ) async throws(StoreError) -> Database {
        let format = DatabaseFormat(version: formatVersion)
        guard let file else {
            let writer = Writer()
            try await writer.open(library, nil, format, prepare: prepare)
            return Database(nil, writer, nil)
        }
        let place = try DatabaseFile(file)
        let readers = ReaderPool { () throws(StoreError) in
            let connection = try Connection(try library.loaded(), path: place.path)
            if access == .reading { try connection.check(format) }
            try connection.becomeReader()
            return connection
        }
        guard access == .writing else {
            let database = Database(place.path, nil, readers)
            try await database.read { _ in }
            return database
        }
        let writer = Writer()
        try await writer.open(library, place, format, prepare: prepare)
        return Database(place.path, writer, readers)
    }

    deinit { shutDown {} }

    /// Does a write in a transaction, which is durable when the method returns.
    ///
    /// Writes that wait at the same time share a commit. A write that throws undoes only itself, and a commit that
    /// fails, such as by a full disk, fails all of them. In the rare case that the system reports an error after it has
    /// written the commit, a write that failed may be found to be done when the file is opened again, but never a part
    /// of it. A write goes on if its task is cancelled.
    ///
    /// - Parameter body: the closure that writes, on the writer's thread. It is called once at most.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure or of the database.
    package func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        guard let writer else {
            throw .database(.readOnly, "the store was opened for reading", path: path)
        }
        return try await PendingWork<T, Transaction>.result(of: body) { writer.add($0) }
    }

    /// Reads in one transaction, in a snapshot that has every write which returned before.
    ///
    /// Several reads run at a time, and none waits for a write, unless the database is in memory.
    ///
    /// - Parameter body: the closure that reads, on a thread of its own. It is called once at most.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreError``, with the reason `interrupted` if the task is cancelled.
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let interruption = Interruption()
        let isShared = readers == nil
        let perform: (@escaping ReaderPool.Work) -> Void = { work in
            if let readers = self.readers { readers.perform(work) } else { self.writer?.perform(work) }
        }
        let result: Result<T, StoreError> = await withTaskCancellationHandler {
            do throws(StoreError) {
                let value = try await PendingWork<T, Connection>.result { (connection) throws(StoreError) in
                    try connection.inSnapshot(isShared: isShared, interruption, body)
                } start: { work in
                    perform { connection in
                        do throws(StoreError) {
                            try work.run(try connection.get())
                            work.finish(nil)
                        } catch {
                            work.finish(error)
                        }
                    }
                }
                return .success(value)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            interruption.cancel()
        }
        return try result.get()
    }

    /// Does what waits, and closes all connections and the file.
    ///
    /// Work that comes later fails with the reason `unavailable`.
    package func close() async {
        await withCheckedContinuation { continuation in shutDown { continuation.resume() } }
    }

    /// Closes the readers first: the last connection moves the log into the file, and only the writer may do it.
    private func shutDown(_ completion: @escaping @Sendable () -> Void) {
        let writer = writer
        let closeWriter: @Sendable () -> Void = {
            if let writer { writer.close(completion) } else { completion() }
        }
        if let readers { readers.close(closeWriter) } else { closeWriter() }
    }
}
