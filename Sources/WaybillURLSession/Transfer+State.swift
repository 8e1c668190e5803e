import Foundation
import WaybillHTTP
import WaybillTransports

extension Transfer {
    /// The received parts of a response and the continuations that wait for more of it.
    struct State {
        typealias HeadWaiter = CheckedContinuation<Result<ResponseHead, TransportError>, Never>
        typealias ChunksWaiter = CheckedContinuation<Result<[Data], TransportError>, Never>

        private(set) var head: ResponseHead?
        private(set) var end: Result<Void, TransportError>?
        var lastActivity = DispatchTime.now()
        var suspension = TaskSuspension()

        /// The number of unread bytes at which the task is suspended.
        private let highWater: Int
        private var unread: [Data] = []
        private var unreadBytes = 0
        private var byteCount = 0
        private var headWaiter: HeadWaiter?
        private var chunksWaiter: ChunksWaiter?

        init(highWater: Int = 512 * 1024) { self.highWater = highWater }

        /// Whether the limit of unread bytes is reached and the body is not complete.
        var isFull: Bool { unreadBytes >= highWater && end == nil && !hasWholeBody }

        /// Stores the head and returns the continuation that waits for it.
        mutating func receive(_ head: ResponseHead) -> HeadWaiter? {
            lastActivity = .now()
            guard end == nil, self.head == nil else { return nil }
            self.head = head
            return headWaiter.take()
        }

        /// Stores a piece of the body, or returns it with the continuation that waits for it.
        mutating func receive(_ data: Data) -> (waiter: ChunksWaiter, chunks: [Data])? {
            lastActivity = .now()
            guard end == nil, !data.isEmpty else { return nil }
            byteCount += data.count
            guard let waiter = chunksWaiter.take() else {
                unread.append(data)
                unreadBytes += data.count
                return nil
            }
            return (waiter, [data])
        }

        /// Returns the outcome of a transfer for which the session has no error.
        func outcome(host: String) -> Result<Void, TransportError> {
            guard case .known(let length) = head?.bodyLength, byteCount < length else { return .success(()) }
            return .failure(
                TransportError(.connectionLost, "the body from \(host) ended after \(byteCount) of \(length) bytes")
            )
        }

        /// Stores the outcome and returns the continuations; nil if the transfer had already ended.
        mutating func end(_ outcome: Result<Void, TransportError>) -> (head: HeadWaiter?, chunks: ChunksWaiter?)? {
            guard end == nil else { return nil }
            end = outcome
            // After a cancellation the rest of the body is not read.
            if case .failure(let error) = outcome, error.kind == .cancelled { _ = takeUnread() }
            return (headWaiter.take(), chunksWaiter.take())
        }

        /// Returns the head or the error if there is one; otherwise stores the continuation.
        mutating func readHead(_ waiter: HeadWaiter) -> Result<ResponseHead, TransportError>? {
            if case .failure(let error) = end, head == nil || error.kind == .cancelled { return .failure(error) }
            // Reading the body throws the error of the body.
            if let head { return .success(head) }
            if end != nil { return .failure(TransportError(.invalidResponse)) }
            headWaiter = waiter
            return nil
        }

        /// Whether the whole body has arrived, even if the session has not reported it yet.
        var hasWholeBody: Bool {
            if let end { return (try? end.get()) != nil }
            guard case .known(let length) = head?.bodyLength else { return false }
            return byteCount >= length
        }

        /// Returns all pieces if the whole body has arrived and none was read; otherwise nil.
        mutating func takeWholeBody() -> [Data]? {
            hasWholeBody ? takeUnread() : nil
        }

        /// Returns the unread pieces, the end or the error; nil if there is nothing to read yet.
        mutating func readChunks() -> Result<[Data], TransportError>? {
            if !unread.isEmpty || hasWholeBody { return .success(takeUnread()) }
            return end.map { $0.map { [] } }
        }

        private mutating func takeUnread() -> [Data] {
            defer { (unread, unreadBytes) = ([], 0) }
            return unread
        }

        /// Returns the unread pieces, the end or the error; stores the continuation if there is nothing to read yet.
        mutating func readChunks(_ waiter: ChunksWaiter) -> Result<[Data], TransportError>? {
            if let chunks = readChunks() { return chunks }
            guard chunksWaiter == nil else {
                return .failure(TransportError(.other, "two tasks read one body at the same time"))
            }
            chunksWaiter = waiter
            return nil
        }
    }
}
