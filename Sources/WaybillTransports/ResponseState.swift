import WaybillHTTP
import WaybillSystem

/// The received parts of a response, and the continuations waiting for more.
///
/// The transfer accesses it while holding a lock, and performs the ``Deliveries`` after releasing the lock.
package struct ResponseState {
    package typealias HeadWaiter = CheckedContinuation<Result<Void, TransportError>, Never>
    package typealias ChunksWaiter = CheckedContinuation<Result<[Data], TransportError>, Never>

    /// Continuations to resume, with their results.
    package struct Deliveries {
        fileprivate var head: (HeadWaiter, Result<Void, TransportError>)?
        fileprivate var chunks: (ChunksWaiter, Result<[Data], TransportError>)?

        /// Resumes the continuations.
        package func perform() {
            if let head { head.0.resume(returning: head.1) }
            if let chunks { chunks.0.resume(returning: chunks.1) }
        }
    }

    /// The maximum size of joined pieces, in bytes.
    private static let chunkBytes = 64 * 1024

    /// Whether the head has arrived.
    package private(set) var hasHead = false
    /// The outcome; nil until the transfer has ended.
    package private(set) var end: Result<Void, TransportError>?
    /// Whether the body has been read to its end.
    package private(set) var isReadToEnd = false
    package private(set) var unreadBytes = 0

    /// The number of unread bytes at which the transfer stops reading from the connection.
    private let highWater: Int
    private var length: Int?
    private var byteCount = 0
    private var unread: [Data] = []
    private var headWaiter: HeadWaiter?
    private var chunksWaiter: ChunksWaiter?

    /// Creates the state of a response before its head arrives.
    ///
    /// - Parameter highWater: the number of unread bytes at which the transfer stops reading from the connection.
    package init(highWater: Int = 512 * 1024) { self.highWater = max(1, highWater) }

    /// Whether the number of unread bytes is below the limit.
    package var hasRoom: Bool { unreadBytes < highWater }

    /// Whether the limit on unread bytes has been reached and the body is incomplete.
    package var isFull: Bool { !hasRoom && end == nil && !hasWholeBody }

    /// Whether the whole body has arrived, even if the transfer has not ended yet.
    package var hasWholeBody: Bool {
        if let end { return (try? end.get()) != nil }
        return length.map { byteCount >= $0 } ?? false
    }

    /// Records the arrival of the head.
    ///
    /// - Parameter length: the number of bytes after which the body is complete; nil if only the end of the transfer
    ///   completes it.
    /// - Returns: false if a head had already arrived or the transfer had ended.
    @discardableResult
    package mutating func receiveHead(length: Int? = nil) -> Bool {
        guard end == nil, !hasHead else { return false }
        (hasHead, self.length) = (true, length)
        return true
    }

    /// Stores a piece of the body.
    package mutating func receive(_ data: Data) {
        guard end == nil, !data.isEmpty else { return }
        byteCount += data.count
        unreadBytes += data.count
        unread.append(data)
    }

    /// Stores a copy of a piece of the body, joined with the previous piece if both are short.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let last = unread.indices.last, unread[last].count + bytes.count <= Self.chunkBytes else {
            return receive(Data(bytes))
        }
        guard end == nil else { return }
        byteCount += bytes.count
        unreadBytes += bytes.count
        unread[last].append(contentsOf: bytes)
    }

    /// Returns the outcome of a transfer that has ended without an error.
    ///
    /// - Parameter host: the host, for error messages.
    /// - Returns: a failure if the head is missing, or if the body is shorter than its declared length.
    package func outcome(host: String) -> Result<Void, TransportError> {
        guard hasHead else { return .failure(TransportError(.invalidResponse, "\(host) sent no response")) }
        guard let length, byteCount < length else { return .success(()) }
        return .failure(
            TransportError(.connectionLost, "the body from \(host) ended after \(byteCount) of \(length) bytes")
        )
    }

    /// Stores the outcome.
    ///
    /// - Returns: false if the transfer had already ended.
    package mutating func end(_ outcome: Result<Void, TransportError>) -> Bool {
        guard end == nil else { return false }
        end = outcome
        // After a cancellation, nothing reads the rest of the body.
        if case .failure(let error) = outcome, error.kind == .cancelled { (unread, unreadBytes) = ([], 0) }
        return true
    }

    /// Returns the continuations whose results are available.
    package mutating func deliveries() -> Deliveries {
        var deliveries = Deliveries()
        if headWaiter != nil, let result = headResult, let waiter = headWaiter.take() {
            deliveries.head = (waiter, result)
        }
        if chunksWaiter != nil, let result = readChunks(), let waiter = chunksWaiter.take() {
            deliveries.chunks = (waiter, result)
        }
        return deliveries
    }

    /// Returns success if the head has arrived, or the error if it can no longer arrive; otherwise stores the
    /// continuation and returns nil.
    package mutating func readHead(_ waiter: HeadWaiter) -> Result<Void, TransportError>? {
        if let headResult { return headResult }
        headWaiter = waiter
        return nil
    }

    private var headResult: Result<Void, TransportError>? {
        if case .failure(let error) = end, !hasHead || error.kind == .cancelled { return .failure(error) }
        // An error in the body is thrown when the body is read.
        if hasHead { return .success(()) }
        return end == nil ? nil : .failure(TransportError(.invalidResponse))
    }

    /// Returns the unread pieces as one if the whole body has arrived; otherwise nil.
    ///
    /// They are the whole body only if nothing has been read before.
    package mutating func takeWholeBody() -> Data? {
        guard hasWholeBody, case .success(let chunks) = readChunks() else { return nil }
        isReadToEnd = true
        return Data(joining: chunks)
    }

    /// Returns the unread pieces, an empty array at the end, or the error; nil if there is nothing to read yet.
    package mutating func readChunks() -> Result<[Data], TransportError>? {
        if !unread.isEmpty {
            defer { (unread, unreadBytes) = ([], 0) }
            return .success(unread)
        }
        if hasWholeBody {
            isReadToEnd = true
            return .success([])
        }
        return end.map { $0.map { [] } }
    }

    /// Returns the unread pieces, an empty array at the end, or the error; otherwise stores the continuation and
    /// returns nil.
    package mutating func readChunks(_ waiter: ChunksWaiter) -> Result<[Data], TransportError>? {
        if let chunks = readChunks() { return chunks }
        guard chunksWaiter == nil else {
            return .failure(
                TransportError(.other, "two tasks are reading the body at the same time; read it in one task")
            )
        }
        chunksWaiter = waiter
        return nil
    }
}

extension Data {
    /// Joins pieces of a body; `Data(joined())` appends byte by byte and is about thirty times slower.
    fileprivate init(joining pieces: [Data]) {
        guard pieces.count != 1 else {
            self = pieces[0]
            return
        }
        self.init(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { append(piece) }
    }
}
