import Foundation
import Waybill

/// A middleware that keeps an app's most recent requests and responses for a problem report.
///
/// ```swift
/// let traffic = TrafficRecorder(newest: 50)
/// let client = Client(url) {
///     Use(traffic, around: .eachAttempt)
///     Observe(traffic)                   // waits, cache hits, and the phases of requests, too
/// }
///
/// try traffic.write(to: file)            // a HAR 1.2, secrets redacted
///
/// let page = file.deletingPathExtension().appendingPathExtension("html")
/// try traffic.report.write(to: page)     // the same as a page of HTML
/// ```
///
/// Used around each attempt, it also records retries; used around the whole call (the default of `Use`), it records
/// only the last response. It does not change the call: bodies are recorded as they are read. Browser developer tools
/// can open the file, and a ``RecordedTransport`` can replay it.
///
/// As an observer, it also records each exchange's call, calls answered from a cache, waits before retries and for
/// permits, and the call for which a token was fetched. Without the `Observe` clause, it records only the exchanges.
///
/// Its records contain no credentials, no values of declared secrets, and no copies of them in responses.
public final class TrafficRecorder: Middleware, CallObserver {
    private let maximumBodyBytes: Int
    private let log: Locked<TrafficLog>

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of exchanges, and of observed calls, to keep; a number below 1 counts as 1.
    ///   - maximumBodyBytes: the maximum size of a recorded body, in bytes; a negative number counts as 0. A larger
    ///     body is omitted, and the record of a response notes the omission.
    public init(newest limit: Int = 100, maximumBodyBytes: Int = 1_000_000) {
        log = Locked(TrafficLog(limit: max(1, limit)))
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// The number of recorded exchanges.
    public var count: Int { log.withLock { $0.count } }

    /// Removes all exchanges and calls.
    public func removeAll() { log.withLock { $0.removeAll() } }

    /// Writes the exchanges to a HAR 1.2 file, in the order in which they began.
    ///
    /// - Parameter file: the file. An existing file is replaced, and a missing folder is created.
    /// - Throws: ``RecordedTransport/Failure`` if the file cannot be written.
    public func write(to file: URL) throws(RecordedTransport.Failure) { try RecordingFile(url: file).write(content) }

    /// The exchanges as HAR 1.2 text.
    public var har: String { content.text }

    /// The content of the file.
    var content: HARLog {
        // Searches for secrets outside the lock, which calls need.
        let log = log.withLock { $0 }
        return log.har
    }

    /// Records an event, which contributes to the waits, cache hits and phases of its call.
    ///
    /// - Parameter event: the event.
    public func observe(_ event: CallEvent) { log.withLock { $0.add(event) } }

    /// Records a request with its response or error.
    ///
    /// - Parameters:
    ///   - request: the request, which is sent unchanged.
    ///   - call: the call, whose secrets are removed from the record.
    ///   - next: the rest of the chain.
    /// - Returns: the response, whose body is recorded as it is read.
    /// - Throws: the error of the chain.
    public func handle(_ request: HTTPRequest, of call: Call, next: @escaping Next) async throws(APIError)
        -> HTTPResponse
    {
        let reporting = call.context.reporting
        let now: @Sendable () -> Duration = { [time = call.context.time, start = reporting?.start ?? .zero] in
            time.now - start
        }
        var moments = TrafficLog.Moments(order: log.withLock { $0.nextOrder() }, date: Date(), start: now())
        let origin = RecordedOrigin(
            call: reporting?.number,
            attempt: call.attempt,
            offset: reporting == nil ? nil : moments.start
        )
        let record: @Sendable (RecordedExchange, TrafficLog.Moments, Set<String>) -> Void = { [weak self] in
            var (exchange, moments) = ($0, $1)
            exchange.origin = origin
            moments.end = now()
            self?.log.withLock { [exchange, moments, secrets = $2] in $0.add(exchange, moments, secrets: secrets) }
        }
        var request = request
        let sent = request.body.flatMap { $0.bytes == nil ? RequestBodyRecorder(upTo: maximumBodyBytes) : nil }
        if let sent { request.body = request.body?.observing { sent.add($0, at: $1) } }
        // The request as sent, including the body that was read.
        let recorded: @Sendable () -> HTTPRequest = { [request] in
            guard let sent else { return request }
            var whole = request
            whole.body = sent.bytes.map { HTTPBody($0) }
            return whole
        }
        do {
            var response = try await next(request)
            moments.lastOrder = log.withLock { $0.nextOrder() }
            moments.head = now()
            let whole = recorded()
            let redaction = RecordingRedaction(whole, template: call.plan.template, call.secrets)
            var head = redaction.recorded(response, to: whole)
            limitRequestBody(of: &head)
            let (received, body) = (response, response.body)
            let complete: @Sendable (Data, RecordedFault?) -> Void = { [maximumBodyBytes, head, moments] bytes, fault in
                let isKept = bytes.count <= maximumBodyBytes
                var exchange = redaction.adding(isKept ? bytes : Data(), body.trailerFields, to: head)
                let reason = "the body has more than the \(maximumBodyBytes) bytes that the recorder keeps"
                if !isKept { exchange.fault = RecordedFault(kind: .other, message: reason) }
                if isKept, let fault { exchange.fault = fault }
                record(exchange, moments, redaction.secrets(in: received, bytes))
            }
            if let bytes = body.bytes {
                complete(bytes, nil)
            } else {
                response.body = BodyRecorder(upTo: maximumBodyBytes, complete).recording(body)
            }
            return response
        } catch {
            // Excludes the requests of later attempts.
            moments.lastOrder = log.withLock { $0.nextOrder() }
            let whole = recorded()
            let redaction = RecordingRedaction(whole, template: call.plan.template, call.secrets)
            var exchange = redaction.recorded(whole)
            limitRequestBody(of: &exchange)
            switch error {
            case .transport(let failure):
                exchange.fault = RecordedFault(failure.error, message: redaction.text(failure.error.message))
            case .cancelled: exchange.fault = RecordedFault(kind: .cancelled)
            default: exchange.fault = RecordedFault(kind: .other, message: redaction.text(error.reason))
            }
            record(exchange, moments, redaction.secrets)
            throw error
        }
    }

    private func limitRequestBody(of exchange: inout RecordedExchange) {
        if let body = exchange.requestBody, body.bytes.count > maximumBodyBytes { exchange.requestBody = nil }
    }
}
