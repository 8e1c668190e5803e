import Dispatch
import Waybill
import WaybillSystem

/// The connection for writing, and its queue.
///
/// The queue is a dispatch queue rather than an actor, because a commit waits for the disk, which would block a thread
/// of the cooperative pool. Waiting writes share a transaction and its commit: writing 64 rows takes 0.28 ms, compared
/// with 0.16 ms for one. Each write has its own savepoint.
///
/// `@unchecked Sendable`: the connection is only used on the queue.
final class Writer: @unchecked Sendable {
    /// The maximum number of writes per commit, which limits how long the first write waits.
    private static let maximumWriteCount = 512

    private struct State {
        var waiting: [any PendingWrite] = []
        /// Whether the queue is about to take the waiting writes.
        var isScheduled = false
        var isClosed = false
    }

    /// A queue with its own thread, because blocking a shared one would block tasks.
    private let queue = DispatchQueue(label: "Waybill.Store.writer", qos: .userInitiated)
    private let state = Locked(State())
    private var connection: Connection?
    /// The lock on the file, which outlives the connection.
    private var fileLock: DatabaseFile.FileLock?

    /// Opens the connection.
    func open(
        _ library: SQLiteLibrary,
        _ file: DatabaseFile?,
        _ format: DatabaseFormat,
        prepare: @escaping @Sendable (Connection) throws(StoreError) -> Void
    ) async throws(StoreError) {
        try await PendingWork<Void, Writer>.result { (writer) throws(StoreError) in
            let functions = try library.loaded()
            let fileLock = try file?.lock()
            let connection = try Connection(functions, path: file?.path)
            try connection.becomeWriter(format, prepare: prepare)
            writer.connection = connection
            writer.fileLock = fileLock
        } start: { work in
            queue.async {
                do throws(StoreError) {
                    try work.run(self)
                    work.finish(nil)
                } catch {
                    work.finish(error)
                }
            }
        }
    }

    /// Enqueues a write.
    func add(_ write: any PendingWrite) {
        let (isClosed, isFirst) = state.withLock { state in
            if state.isClosed { return (true, false) }
            state.waiting.append(write)
            defer { state.isScheduled = true }
            return (false, !state.isScheduled)
        }
        if isClosed { return write.finish(Self.closed(nil)) }
        if isFirst { queue.async { self.commitWaiting() } }
    }

    /// Performs work on the connection between transactions, for a database without other connections.
    func perform(_ work: @escaping @Sendable (Result<Connection, StoreError>) -> Void) {
        queue.async { work(self.connection.map(Result.success) ?? .failure(Self.closed(nil))) }
    }

    /// Executes the waiting writes, and then closes the connection and the file.
    func close(_ completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.isClosed = true }
        queue.async {
            while self.state.withLock({ !$0.waiting.isEmpty }) { self.commitBatch() }
            self.connection = nil
            self.fileLock = nil
            completion()
        }
    }

    /// Returns the error for work added after the database was closed.
    static func closed(_ path: String?) -> StoreError { .database(.unavailable, "the store is closed", path: path) }

    private func takeWaiting() -> [any PendingWrite] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func commitWaiting() {
        commitBatch()
        let isDone = state.withLock { state in
            state.isScheduled = !state.waiting.isEmpty
            return !state.isScheduled
        }
        // Enqueue again instead of looping, so that work from `perform` gets its turn.
        if !isDone { queue.async { self.commitWaiting() } }
    }

    private func commitBatch() {
        let waiting = takeWaiting()
        guard let connection else { return waiting.forEach { $0.finish(Self.closed(nil)) } }
        var batch = WriteBatch(connection)
        batch.run(waiting)
        // Include writes that arrived in the meantime.
        while batch.isOpen, batch.count < Self.maximumWriteCount {
            let more = takeWaiting()
            if more.isEmpty { break }
            batch.run(more)
        }
        batch.commit()
    }
}
