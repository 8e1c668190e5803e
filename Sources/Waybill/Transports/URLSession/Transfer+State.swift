import Foundation

extension Transfer {
    /// What has arrived of a response, and who waits for more of it.
    struct State {
        typealias HeadWaiter = CheckedContinuation<Result<ResponseHead, TransportError>, Never>
        typealias ChunksWaiter = CheckedContinuation<Result<[Data], TransportError>, Never>

        private(set) var head: ResponseHead?
        private(set) var end: Result<Void, TransportError>?
        var lastActivity = DispatchTime.now()

        private var unread: [Data] = []
        private var byteCount = 0
        private var headWaiter: HeadWaiter?
        private var chunksWaiter: ChunksWaiter?

        /// Takes the head, and returns who waits for it.
        mutating func receive(_ head: ResponseHead) -> HeadWaiter? {
            lastActivity = .now()
            guard end == nil, self.head == nil else { return nil }
            self.head = head
            return headWaiter.take()
        }

        /// Takes a piece of the body, and returns who waits for it.
        mutating func receive(_ data: Data) -> (waiter: ChunksWaiter, chunks: [Data])? {
            lastActivity = .now()
            guard end == nil, !data.isEmpty else { return nil }
            byteCount += data.count
            guard let waiter = chunksWaiter.take() else {
                unread.append(data)
                return nil
            }
            return (waiter, [data])
        }

        /// What a session that found no error has made of the response.
        func outcome(host: String) -> Result<Void, TransportError> {
            guard case .known(let length) = head?.bodyLength, byteCount < length else { return .success(()) }
            return .failure(
                TransportError(.connectionLost, "the body from \(host) ended after \(byteCount) of \(length) bytes")
            )
        }

        /// Ends it, and returns who waits; nil where it had ended before.
        mutating func end(_ outcome: Result<Void, TransportError>) -> (head: HeadWaiter?, chunks: ChunksWaiter?)? {
            guard end == nil else { return nil }
            end = outcome
            // Whoever gives a body up does not want what there is of it.
            if case .failure(let error) = outcome, error.kind == .cancelled { unread = [] }
            return (headWaiter.take(), chunksWaiter.take())
        }

        /// The head or the error, where there is one; else the continuation waits for it.
        mutating func readHead(_ waiter: HeadWaiter) -> Result<ResponseHead, TransportError>? {
            if case .failure(let error) = end, head == nil || error.kind == .cancelled { return .failure(error) }
            // What befell the body is told where the body is read.
            if let head { return .success(head) }
            if end != nil { return .failure(TransportError(.invalidResponse)) }
            headWaiter = waiter
            return nil
        }

        /// Whether all of the body has arrived, though the session may not have said so yet.
        var hasWholeBody: Bool {
            if let end { return (try? end.get()) != nil }
            guard case .known(let length) = head?.bodyLength else { return false }
            return byteCount >= length
        }

        /// All pieces, where the whole body has arrived and none has been read.
        mutating func takeWholeBody() -> [Data]? {
            guard hasWholeBody else { return nil }
            defer { unread = [] }
            return unread
        }

        /// The unread pieces, the end or the error; nil where there is nothing to read yet.
        mutating func readChunks() -> Result<[Data], TransportError>? {
            if !unread.isEmpty || hasWholeBody {
                defer { unread = [] }
                return .success(unread)
            }
            return end.map { $0.map { [] } }
        }

        /// The same, but where there is nothing to read yet, the continuation waits for it.
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
