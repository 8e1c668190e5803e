import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request and its response, shared by the session's delegate and the task that sent the request.
///
/// A transfer ends once: when the response is complete, when it fails, or when it is stopped. Later events from the
/// session are ignored. Continuations are resumed after the lock has been released.
///
/// `@unchecked Sendable`: `admission` is only accessed on the session's queue; all other properties are constants.
final class Transfer: BodyTransfer, @unchecked Sendable {
    /// The state of a transfer under the session's limit on requests in flight.
    enum Admission {
        case outside
        case queued(InFlightLimit<HTTPRequest.Origin, Transfer>.Ticket)
        /// Admitted by the limit, without a task if the transfer had already ended.
        case inFlight(URLSessionDataTask?, controlObserver: Int?)
    }

    let request: URLRequest
    let method: HTTPRequest.Method
    let origin: HTTPRequest.Origin
    var admission = Admission.outside

    /// The body if it is read as it is sent; nil if it is in memory.
    let upload: Upload?

    #if !canImport(FoundationNetworking)
        /// The stream from which the session reads the upload.
        let bodyStream = Locked<UploadStream?>(nil)
    #endif

    /// The maximum silence on the connection; nil for no limit.
    let idleTimeout: Duration?

    /// The handle that pauses the transfer.
    let control: TransferControl?

    /// The counter of transferred bytes; nil for a request without a handle.
    let counter: TransferControl.Counter?

    /// The metrics, empty on Linux, where `URLSession` measures nothing; nil if they are not needed.
    let metrics: Locked<TransferOptions.Report.Metrics?>?

    private struct State {
        var response = ResponseState()
        var head: ResponseHead?
        var lastActivity = DispatchTime.now()
        var suspension = TaskSuspension()
    }

    private let session: TransferSession
    private let state = Locked(State())

    /// Creates a transfer for a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of the transfer.
    ///   - body: the body in the form required by `URLSession`.
    ///   - session: the session that sends the request.
    /// - Throws: `TransportError` of kind `TransportError.Kind.unsupportedRequest` if `URLSession` cannot send the
    ///   request.
    init(
        _ request: HTTPRequest,
        _ options: TransferOptions,
        body: OutgoingBody,
        in session: TransferSession
    ) throws(TransportError) {
        self.request = try request.urlRequest(body: body)
        upload = body.upload
        idleTimeout = options.idleTimeout(session.idleTimeout)
        control = options.control
        guard let origin = HTTPRequest.Origin(request.url) else {
            throw TransportError(.unsupportedRequest, "the URL has no scheme or no host")
        }
        self.origin = origin
        self.session = session
        method = request.method
        metrics = options.report?.isMeasured == true ? Locked(nil) : nil
        counter = TransferControl.Counter(for: request, options)
    }

    /// The host, with its port unless that is the scheme's default, for error messages.
    var host: String { String(origin.description.dropFirst(origin.scheme.count + 3)) }
}

// MARK: - Session events

extension Transfer {
    /// Handles the head of a response; interim responses are skipped (RFC 9110, section 15.2).
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return stop(TransportError(.invalidResponse, "\(host) did not respond with HTTP"))
        }
        guard response.statusCode != 101 else {
            return stop(TransportError(.invalidResponse, "\(host) switched to a protocol that was not requested"))
        }
        guard response.statusCode >= 200 else { return touch() }
        let head = ResponseHead(response, method: method)
        guard head.bodyLength != .contradictory, head.bodyLength != .known(.max) else {
            return stop(TransportError(.invalidResponse, "\(host) sent a Content-Length that is not a single number"))
        }
        session.reached.withLock { $0.insert(origin) }
        if let counter { counter.expectToReceive(head.bodyLength.bytes) }
        let deliveries = state.withLock { state in
            state.lastActivity = .now()
            if state.response.receiveHead(length: head.bodyLength.bytes) { state.head = head }
            return state.response.deliveries()
        }
        deliveries.perform()
    }

    /// Handles a piece of the body.
    func receive(_ data: Data) {
        counter?.addReceived(data.count)
        let (deliveries, isFull) = state.withLock { state in
            state.lastActivity = .now()
            state.response.receive(data)
            return (state.response.deliveries(), state.response.isFull)
        }
        deliveries.perform()
        if isFull, TaskSuspension.isPossible { session.adjust(self) }
    }

    /// Records activity on the connection.
    func touch() { state.withLock { $0.lastActivity = .now() } }

    /// Ends the transfer with the session's outcome.
    func complete(_ error: (any Error)?, response: URLResponse?) {
        if let error {
            let progress: TransportError.Progress =
                state.withLock { $0.response.hasHead }
                ? .hasHead : session.reached.withLock { $0.contains(origin) } ? .mayBeSent : .none
            return end(.failure(TransportError(error, host: host, progress)))
        }
        // For a redirect without a valid target, `URLSession` on Linux does not deliver the head.
        if state.withLock({ !$0.response.hasHead }), let response = response as? HTTPURLResponse {
            receive(response)
            return end(.success(()))
        }
        end(state.withLock { $0.response.outcome(host: host) })
    }
}

// MARK: - Ending

extension Transfer {
    /// Whether the transfer has ended.
    var hasEnded: Bool { state.withLock { $0.response.end != nil } }

    /// Returns the time since the last activity on the connection; zero unless the transfer is waiting for the server.
    func idleTime(at now: DispatchTime) -> Duration {
        if upload?.isAwaited == true { return .zero }
        return state.withLock { state in
            guard !state.suspension.isSuspended else { return .zero }
            let last = state.lastActivity.uptimeNanoseconds
            return .nanoseconds(now.uptimeNanoseconds - min(last, now.uptimeNanoseconds))
        }
    }

    /// Returns the call to make on the task, which is suspended while the request is paused or the response is full.
    func dueChange() -> TaskSuspension.Change? {
        let isPaused = control?.isPaused == true
        return state.withLock { state in
            // If a stopped transfer were resumed before its task is cancelled, it would still be sent.
            guard state.response.end == nil else { return nil }
            let change = state.suspension.change(toSuspended: isPaused || state.response.isFull)
            if change == .resume { state.lastActivity = .now() }
            return change
        }
    }

    /// Ends the transfer with an error, unless it has already ended, and cancels its task.
    func stop(_ error: TransportError) { end(.failure(error), isCancelled: true) }

    /// Stops the transfer because its body can no longer be read, unless the whole body has arrived.
    ///
    /// Cancelling a task that is about to complete would close its connection.
    func abandon() {
        if state.withLock({ !$0.response.hasWholeBody }) { stop(TransportError(.cancelled)) }
    }

    private func end(_ outcome: Result<Void, TransportError>, isCancelled: Bool = false) {
        guard let deliveries = state.withLock({ $0.response.end(outcome) ? $0.response.deliveries() : nil }) else {
            return
        }
        counter?.end()
        deliveries.perform()
        session.finish(self, isCancelled: isCancelled)
    }
}

// MARK: - Reading from the task

extension Transfer {
    /// Waits for the head.
    ///
    /// Cancelling the task stops the transfer.
    func head() async throws(TransportError) -> ResponseHead {
        try await result { continuation in state.withLock { $0.response.readHead(continuation) } }
        guard let head = state.withLock(\.head) else { throw TransportError(.invalidResponse) }
        return head
    }

    /// Returns the body, in memory if it has arrived completely; otherwise it is read as it arrives.
    ///
    /// Called once, after the head has been read.
    func body(of head: ResponseHead) -> HTTPBody {
        if let bytes = state.withLock({ $0.response.takeWholeBody() }) { return HTTPBody(bytes) }
        return HTTPBody(ArrivingBody(self), length: head.bodyLength.bytes)
    }

    /// Waits for the next part of the body, and returns all unread pieces, or none at the end.
    ///
    /// Cancelling the task stops the transfer.
    func chunks() async throws(TransportError) -> [Data] {
        let (wasFull, chunks) = state.withLock { ($0.response.isFull, $0.response.readChunks()) }
        if wasFull, TaskSuspension.isPossible { session.adjust(self) }
        if let chunks { return try chunks.get() }
        return try await result { continuation in state.withLock { $0.response.readChunks(continuation) } }
    }
}
