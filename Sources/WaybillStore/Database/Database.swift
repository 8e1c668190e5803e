import Waybill
import WaybillSystem

/// A database in a file or in memory, with one connection for writing and several for reading.
///
/// The file uses SQLite's write-ahead log. One connection writes and checkpoints. The others only read, each in a
/// snapshot, and never wait for the writer.
package final class Database: Sendable {
    /// The access that this process has to the file.
    package enum Access: Sendable, Hashable {
        /// Reading and writing, as the only writer.
        case writing
        /// Reading the commits of another process, for example in a widget.
        case reading
    }

    /// The format version of the tables.
    ///
    /// A file with a later version is rejected.
    package static let formatVersion: Int64 = 1

    /// The path of the file; nil for a database in memory.
    package let path: String?
    private let writer: Writer?
    private let readers: ReaderPool?

    /// Whether the database was opened for reading only.
    var isReadOnly: Bool { writer == nil }

    private init(_ path: String?, _ writer: Writer?, _ readers: ReaderPool?) {
        self.path = path
        self.writer = writer
        self.readers = readers
    }

    /// Opens a database, creating it if it does not exist.
    ///
    /// - Parameters:
    ///   - file: the file; nil for a database in memory, which has a single connection.
    ///   - library: the SQLite library.
    ///   - access: the access that this process has to the file. With `reading`, the file must exist.
    ///   - formatVersion: the version of the tables that `prepare` creates.
    ///   - prepare: creates or migrates the tables, in the first transaction. `PRAGMA user_version` is the version of
    ///     the file's tables, 0 for a new file. The closure is not called for `reading`.
    /// - Returns: the open database.
    /// - Throws: ``StoreError``. A file that is not a store's database, or has a later version, is not changed.
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
        let databaseFile = try DatabaseFile(file)
        let readers = ReaderPool { () throws(StoreError) in
            let connection = try Connection(try library.loaded(), path: databaseFile.path)
            if access == .reading { try connection.check(format) }
            try connection.becomeReader()
            return connection
        }
        guard access == .writing else {
            let database = Database(databaseFile.path, nil, readers)
            try await database.read { _ in }
            return database
        }
        let writer = Writer()
        try await writer.open(library, databaseFile, format, prepare: prepare)
        return Database(databaseFile.path, writer, readers)
    }

    deinit { shutDown {} }

    /// Executes a write in a transaction, which is durable when the method returns.
    ///
    /// Writes that wait at the same time share a commit. If a write throws, only its own changes are rolled back; if
    /// the commit fails, for example because the disk is full, all of its writes fail. In rare cases, the system
    /// reports an error after writing the commit. A failed write may then be found complete, but never partial, when
    /// the file is reopened. Cancelling the task does not stop a write.
    ///
    /// - Parameter body: the write, called at most once, on the writer's thread.
    /// - Returns: the result of the closure.
    /// - Throws: the error thrown by the closure, or a database error.
    package func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        guard let writer else {
            throw .database(.readOnly, "the store was opened for reading only", path: path)
        }
        return try await PendingWork<T, Transaction>.result(of: body) { writer.add($0) }
    }

    /// Executes a read in a snapshot that includes all completed writes.
    ///
    /// Reads run in parallel and do not wait for writes, unless the database is in memory.
    ///
    /// - Parameter body: the read, called at most once, on a separate thread.
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
                    try connection.withSnapshot(isShared: isShared, interruption, body)
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

    /// Finishes pending work, and closes all connections and the file.
    ///
    /// Later work fails with the reason `unavailable`.
    package func close() async {
        await withCheckedContinuation { continuation in shutDown { continuation.resume() } }
    }

    /// Closes the readers before the writer, because the last connection to close checkpoints the log.
    private func shutDown(_ completion: @escaping @Sendable () -> Void) {
        let writer = writer
        let closeWriter: @Sendable () -> Void = {
            if let writer { writer.close(completion) } else { completion() }
        }
        if let readers { readers.close(closeWriter) } else { closeWriter() }
    }
}
