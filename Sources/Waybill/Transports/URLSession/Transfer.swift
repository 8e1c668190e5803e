import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response, between the session's delegate, which brings what arrives, and the task that sent it.
///
/// It ends once: when the response is complete, when it fails, or when it is stopped. What the session has to say
/// afterwards counts for nothing. Continuations are resumed after the lock is given back.
///
/// `@unchecked Sendable`: `state` is only touched while `lock` is held, `place` only on the session's queue; nothing
/// else changes.
final class Transfer: @unchecked Sendable {
    /// Where the session has the transfer.
    enum Place {
        case outside
        case waiting(InFlightLimit<Origin, Transfer>.Ticket)
        /// Let through; without a task where it had ended before.
        case inFlight(URLSessionDataTask?)
    }

    let request: URLRequest
    let origin: Origin
    var place = Place.outside

    /// What was measured, where somebody wants to know; nothing on Linux, where `URLSession` measures nothing.
    let metrics: Locked<TransferMetrics?>?

    private let method: HTTPRequest.Method
    private let session: TransferSession
    private let lock = NSLock()
    private var state = State()

    /// Makes a transfer of a request.
    ///
    /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unsupportedRequest``.
    init(_ request: HTTPRequest, body: Data?, in session: TransferSession) throws(TransportError) {
        self.request = try request.urlRequest(body: body)
        guard let origin = Origin(request.url) else {
            throw TransportError(.unsupportedRequest, "the URL has no scheme or no host")
        }
        self.origin = origin
        self.session = session
        method = request.method
        metrics = request.isMeasured ? Locked(nil) : nil
    }

    /// The host, with its port where it is not the scheme's own, for messages.
    var host: String { String(origin.description.dropFirst(origin.scheme.count + 3)) }
}

// MARK: - What the session tells

extension Transfer {
    /// Takes the head of the response, or of an interim one, which is skipped (RFC 9110, section 15.2).
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return stop(TransportError(.invalidResponse, "\(host) sent something else than HTTP"))
        }
        guard response.statusCode != 101 else {
            return stop(TransportError(.invalidResponse, "\(host) switches to a protocol that nobody asked for"))
        }
        guard response.statusCode >= 200 else { return touch() }
        let head = ResponseHead(response, method: method)
        guard head.bodyLength != .contradictory, head.bodyLength != .known(.max) else {
            return stop(TransportError(.invalidResponse, "\(host) sent a Content-Length that is not one number"))
        }
        session.reached.withLock { $0.insert(origin) }
        let waiter = lock.withLock { state.receive(head) }
        waiter?.resume(returning: .success(head))
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        let delivery = lock.withLock { state.receive(data) }
        delivery?.waiter.resume(returning: .success(delivery?.chunks ?? []))
    }

    /// Takes note that something went over the connection.
    func touch() { lock.withLock { state.lastActivity = .now() } }

    /// Ends the transfer as the session says.
    func complete(_ error: (any Error)?, response: URLResponse?) {
        if let error {
            let progress: TransportError.Progress =
                lock.withLock { state.head != nil }
                ? .hasHead : session.reached.withLock { $0.contains(origin) } ? .mayBeSent : .none
            return end(.failure(TransportError(error, host: host, progress)))
        }
        // Of a redirect that leads nowhere, URLSession on Linux delivers nothing, but it has its head.
        if lock.withLock({ state.head == nil }), let response = response as? HTTPURLResponse {
            receive(response)
            return end(.success(()))
        }
        end(lock.withLock { state.outcome(host: host) })
    }
}

// MARK: - Ending

extension Transfer {
    /// Whether nothing more can come.
    var hasEnded: Bool { lock.withLock { state.end != nil } }

    /// How long nothing has gone over the connection.
    func idleTime(at now: DispatchTime) -> Duration {
        let last = lock.withLock { state.lastActivity.uptimeNanoseconds }
        return .nanoseconds(now.uptimeNanoseconds - min(last, now.uptimeNanoseconds))
    }

    /// Ends the transfer with an error, unless it has ended, and cancels its task.
    func stop(_ error: TransportError) { end(.failure(error), isCancelled: true) }

    /// Stops the transfer when nobody can read its body any more, unless all of it is there.
    ///
    /// Cancelling a task that is about to be complete would cost its connection.
    func abandon() {
        if lock.withLock({ !state.hasWholeBody }) { stop(TransportError(.cancelled)) }
    }

    private func end(_ outcome: Result<Void, TransportError>, isCancelled: Bool = false) {
        guard let waiters = lock.withLock({ state.end(outcome) }) else { return }
        let error: TransportError? = if case .failure(let error) = outcome { error } else { nil }
        waiters.head?.resume(
            returning: .failure(error ?? TransportError(.invalidResponse, "\(host) sent no response"))
        )
        waiters.chunks?.resume(returning: error.map { .failure($0) } ?? .success([]))
        session.finish(self, isCancelled: isCancelled)
    }
}

// MARK: - What the task reads

extension Transfer {
    /// Waits for the head.
    ///
    /// Cancelling the task stops the transfer.
    func head() async throws(TransportError) -> ResponseHead {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let head = lock.withLock { state.readHead(continuation) }
                if let head { continuation.resume(returning: head) }
            }
        } onCancel: {
            stop(TransportError(.cancelled))
        }
        return try result.get()
    }

    /// The body: its bytes where all of them are there, else one that is read while it arrives.
    ///
    /// To be asked once, and after the head has been read.
    func body(of head: ResponseHead) -> HTTPBody {
        if let chunks = lock.withLock({ state.takeWholeBody() }) {
            return HTTPBody(chunks.count == 1 ? chunks[0] : Self.joined(chunks))
        }
        let length: Int? = if case .known(let length) = head.bodyLength { length } else { nil }
        return HTTPBody(TransferBody(self), length: length)
    }

    /// Piece by piece: byte by byte, as `Data` takes a sequence, is some thirty times slower.
    private static func joined(_ chunks: [Data]) -> Data {
        var bytes = Data(capacity: chunks.reduce(0) { $0 + $1.count })
        for chunk in chunks { bytes.append(chunk) }
        return bytes
    }

    /// Waits for a part of the body: every piece that has arrived and was not read yet, none at the end.
    ///
    /// Cancelling the task stops the transfer.
    func chunks() async throws(TransportError) -> [Data] {
        if let chunks = lock.withLock({ state.readChunks() }) { return try chunks.get() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let chunks = lock.withLock { state.readChunks(continuation) }
                if let chunks { continuation.resume(returning: chunks) }
            }
        } onCancel: {
            stop(TransportError(.cancelled))
        }
        return try result.get()
    }
}
