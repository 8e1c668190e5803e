import Foundation
import Waybill

/// A middleware that keeps the newest requests and responses of an app, for a report of a problem.
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
/// Declared around each attempt it has retries too, and around the whole call (the default of `Use`) the last response
/// alone. A call is the same with it: bodies are recorded while they are read. The file can be read by the tools of
/// browsers, and be replayed by a ``RecordedTransport``.
///
/// As an observer it also knows the calls: which exchanges belong to one, calls that a cache answers, waits before
/// retries and for permits, and the call for which a token is fetched. Without the clause `Observe`, a record has the
/// exchanges only.
///
/// It keeps no credential, no value of a declared secret and no copy of them in a response.
public final class TrafficRecorder: Middleware, CallObserver {
    private let bodyLimit: Int
    private let log: Locked<TrafficLog>

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - limit: the largest number of exchanges that are kept, and of observed calls; less than 1 counts as 1.
    ///   - bodyLimit: the largest number of bytes of a body that are kept. A longer body is left out, and the record of
    ///     a response says so.
    public init(newest limit: Int = 100, bodiesUpTo bodyLimit: Int = 1_000_000) {
        log = Locked(TrafficLog(limit: max(1, limit)))
        self.bodyLimit = max(0, bodyLimit)
    }

    /// The number of exchanges that are kept.
    public var count: Int { log.withLock { $0.count } }

    /// Removes all exchanges and calls.
    public func removeAll() { log.withLock { $0.removeAll() } }

    /// Writes the exchanges to a file, a HAR 1.2, in the order in which they began.
    ///
    /// - Parameter file: the file; one that exists is replaced, and a folder that is missing is created.
    /// - Throws: ``RecordedTransport/Failure`` if the file cannot be written.
    public func write(to file: URL) throws(RecordedTransport.Failure) { try RecordingFile(url: file).write(content) }

    /// The exchanges as the text of a HAR 1.2.
    public var har: String { content.text }

    /// The content of the file.
    var content: HARLog {
        // Secrets are searched for outside of the lock, which calls need.
        let log = log.withLock { $0 }
        return log.har
    }

    /// Keeps an event of a call, for the waits, cache hits and phases of the record.
    ///
    /// - Parameter event: the event.
    public func observe(_ event: CallEvent) { log.withLock { $0.add(event) } }

    /// Records a request with its response or its failure.
    ///
    /// - Parameters:
    ///   - request: the request, which is sent unchanged.
    ///   - call: the call, whose secrets are removed from the record.
    ///   - next: the rest of the chain.
    /// - Returns: the response, whose body is recorded while it is read.
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
        let sent = request.body.flatMap { $0.bytes == nil ? RequestBodyRecorder(upTo: bodyLimit) : nil }
        if let sent { request.body = request.body?.observing { sent.add($0, at: $1) } }
        // The request as it was sent, for the record.
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
            let complete: @Sendable (Data, RecordedFault?) -> Void = { [bodyLimit, head, moments] bytes, fault in
                let isKept = bytes.count <= bodyLimit
                var exchange = redaction.adding(isKept ? bytes : Data(), body.trailerFields, to: head)
                let reason = "the body has more than the \(bodyLimit) bytes that the recorder keeps"
                if !isKept { exchange.fault = RecordedFault(kind: .other, message: reason) }
                if isKept, let fault { exchange.fault = fault }
                record(exchange, moments, redaction.secrets(in: received, bytes))
            }
            if let bytes = body.bytes {
                complete(bytes, nil)
            } else {
                response.body = BodyRecorder(upTo: bodyLimit, complete).recording(body)
            }
            return response
        } catch {
            // Requests of later attempts are not of this exchange.
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
        if let body = exchange.requestBody, body.bytes.count > bodyLimit { exchange.requestBody = nil }
    }
}
