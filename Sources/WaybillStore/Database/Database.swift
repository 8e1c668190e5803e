import Waybill
import WaybillSystem

/// A database in a file or in memory, with one writing connection and several reading ones.
///
/// The file is in SQLite's write-ahead log mode. One connection writes and checkpoints. The others only read, each in a
/// snapshot, and never wait for the writer.
package final class Database: Sendable {
    /// The access of this process to the file.
    package enum Access: Sendable, Hashable {
        /// Reading and writing, as the only writer.
        case writing
        /// Reading what another process has committed, such as in a widget.
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
    ///   - access: the access of this process. With `reading`, the file must exist.
    ///   - formatVersion: the version of the tables that `prepare` creates.
    ///   - prepare: creates or migrates the tables, in a transaction before any other. `PRAGMA user_version` is the
    ///     version of the file's tables, 0 for a new file. It is not called for `reading`.
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

    /// Executes a write in a transaction, which is durable when the method returns.
    ///
    /// Writes that are waiting at the same time share a commit. A write that throws rolls back only itself; if the
    /// commit fails, for example because the disk is full, all of them fail. In the rare case that the system reports
    /// an error after writing the commit, a failed write may turn out to be complete when the file is opened again, but
    /// never in part. A write continues if its task is cancelled.
    ///
    /// - Parameter body: the write, called at most once, on the writer's thread.
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

    /// Executes a read in a snapshot that includes all completed writes.
    ///
    /// Several reads run in parallel, and none waits for a write, unless the database is in memory.
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
