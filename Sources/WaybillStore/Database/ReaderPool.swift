import Dispatch
import Waybill
import WaybillSystem

/// A pool of reading connections, each with its own queue, opened on demand.
final class ReaderPool: Sendable {
    /// A closure that receives a connection, or the error from opening it.
    typealias Work = @Sendable (Result<Connection, StoreError>) -> Void

    /// A connection and its queue.
    ///
    /// `@unchecked Sendable`: the connection is only used on the queue. A serial queue has its own thread, while
    /// concurrent queues share the threads of Swift tasks on Linux.
    private final class Reader: @unchecked Sendable {
        let queue = DispatchQueue(label: "Waybill.Store.reader", qos: .userInitiated)
        var connection: Connection?
    }

    private struct State {
        var idle: [Reader] = []
        var waiting = FIFOQueue<Work>()
        /// The number of readers that have not been closed.
        var count = 0
        var isClosed = false
        var completions: [@Sendable () -> Void] = []
    }

    /// The maximum number of connections.
    ///
    /// Reads are short, so more connections would only compete for the processors.
    private static let maximumReaderCount = 4

    private let state = Locked(State())
    private let open: @Sendable () throws(StoreError) -> Connection

    /// Creates an empty pool.
    ///
    /// - Parameter open: opens a connection.
    init(open: @escaping @Sendable () throws(StoreError) -> Connection) { self.open = open }

    /// Performs work as soon as a connection is free.
    func perform(_ work: @escaping Work) {
        let (reader, isClosed): (Reader?, Bool) = state.withLock { state in
            if state.isClosed { return (nil, true) }
            if let reader = state.idle.popLast() { return (reader, false) }
            if state.count < Self.maximumReaderCount {
                state.count += 1
                return (Reader(), false)
            }
            _ = state.waiting.append(work)
            return (nil, false)
        }
        if isClosed { return work(.failure(Writer.closed(nil))) }
        if let reader { reader.queue.async { self.run(work, by: reader) } }
    }

    /// Finishes pending work, and closes all connections.
    func close(_ completion: @escaping @Sendable () -> Void) {
        let (idle, isDone) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            if state.count > 0 { state.completions.append(completion) }
            return (state.idle, state.count == 0)
        }
        for reader in idle { reader.queue.async { self.end(reader) } }
        if isDone { completion() }
    }

    private func run(_ first: @escaping Work, by reader: Reader) {
        var next: Work? = first
        while let work = next {
            do throws(StoreError) {
                if reader.connection == nil { reader.connection = try open() }
                if let connection = reader.connection { work(.success(connection)) }
                // If a transaction could not be ended, discard the connection, which would keep its snapshot.
                if reader.connection?.isInTransaction == true { reader.connection = nil }
            } catch {
                work(.failure(error))
            }
            let isEnding: Bool
            (next, isEnding) = state.withLock { state in
                if let work = state.waiting.popFirst() { return (work, false) }
                if !state.isClosed { state.idle.append(reader) }
                return (nil, state.isClosed)
            }
            if isEnding { end(reader) }
        }
    }

    /// Closes a reader's connection; if it was the last one, calls the completions of ``close(_:)``.
    private func end(_ reader: Reader) {
        reader.connection = nil
        let completions = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [@Sendable () -> Void]() }
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion() }
    }
}
