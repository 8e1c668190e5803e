import Foundation
import Waybill

/// A middleware that keeps the newest requests and responses of an app, for a report of a problem.
///
/// ```swift
/// let traffic = TrafficRecorder(newest: 50)
/// let client = Client(url) { Use(traffic, around: .eachAttempt) }
///
/// try traffic.write(to: file)     // a HAR 1.2, secrets redacted
/// ```
///
/// Declared around each attempt it has retries too, and around the whole call (the default of `Use`) the last response
/// alone. A call is the same with it: bodies are recorded while they are read. The file can be read by the tools of
/// browsers, and be replayed by a ``RecordedTransport``.
///
/// It keeps no credential, no value of a declared secret and no copy of them in a response.
public final class TrafficRecorder: Middleware {
    private struct State {
        var exchanges: [(number: Int, exchange: RecordedExchange, secrets: Set<String>)] = []
        var count = 0
    }

    private let limit: Int
    private let bodyLimit: Int
    private let state = Locked(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - limit: the largest number of exchanges that are kept; less than 1 counts as 1.
    ///   - bodyLimit: the largest number of bytes of a body that are kept. A longer body is left out, and the record of
    ///     a response says so.
    public init(newest limit: Int = 100, bodiesUpTo bodyLimit: Int = 1_000_000) {
        self.limit = max(1, limit)
        self.bodyLimit = max(0, bodyLimit)
    }

    /// The number of exchanges that are kept.
    public var count: Int { state.withLock { $0.exchanges.count } }

    /// Removes all exchanges.
    public func removeAll() { state.withLock { $0.exchanges = [] } }

    /// Writes the exchanges to a file, a HAR 1.2, in the order in which they began.
    ///
    /// - Parameter file: the file; one that exists is replaced, and a folder that is missing is created.
    /// - Throws: ``RecordedTransport/Failure`` if the file cannot be written.
    public func write(to file: URL) throws(RecordedTransport.Failure) { try RecordingFile(url: file).write(log) }

    /// The exchanges as the text of a HAR 1.2.
    public var har: String { log.text }

    private var log: HARLog {
        var log = HARLog()
        let exchanges = state.withLock { $0.exchanges }
        log.replace(nil, with: exchanges.sorted { $0.number < $1.number }.map(\.exchange))
        var secrets = RecordingSecrets()
        for exchange in exchanges { secrets.formUnion(exchange.secrets) }
        log.remove(secrets.names())
        return log
    }

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
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let (start, clock) = (Date(), ContinuousClock.now)
        let record: @Sendable (RecordedExchange, Set<String>) -> Void = { [weak self] exchange, secrets in
            var exchange = exchange
            exchange.startTime = start
            exchange.duration = clock.duration(to: .now)
            guard let self else { return }
            state.withLock { state in
                state.exchanges.append((number, exchange, secrets))
                if state.exchanges.count > self.limit { state.exchanges.removeFirst() }
            }
        }
        do {
            var response = try await next(request)
            let redaction = RecordingRedaction(request, template: call.plan.template, call.secrets)
            var head = redaction.recorded(response, to: request)
            limitRequestBody(of: &head)
            let (received, body) = (response, response.body)
            let complete: @Sendable (Data, RecordedFault?) -> Void = { [bodyLimit, head] bytes, fault in
                let isKept = bytes.count <= bodyLimit
                var exchange = redaction.adding(isKept ? bytes : Data(), body.trailerFields, to: head)
                let reason = "the body has more than the \(bodyLimit) bytes that the recorder keeps"
                exchange.fault = isKept ? fault : RecordedFault(kind: .other, message: reason)
                record(exchange, redaction.secrets(in: received, bytes))
            }
            if let bytes = body.bytes {
                complete(bytes, nil)
            } else {
                response.body = BodyRecorder(upTo: bodyLimit, complete).recording(body)
            }
            return response
        } catch {
            let redaction = RecordingRedaction(request, template: call.plan.template, call.secrets)
            var exchange = redaction.recorded(request)
            limitRequestBody(of: &exchange)
            switch error {
            case .transport(let failure):
                exchange.fault = RecordedFault(failure.error, message: redaction.text(failure.error.message))
            case .cancelled: exchange.fault = RecordedFault(kind: .cancelled)
            default: exchange.fault = RecordedFault(kind: .other, message: redaction.text(error.reason))
            }
            record(exchange, redaction.secrets)
            throw error
        }
    }

    private func limitRequestBody(of exchange: inout RecordedExchange) {
        if let body = exchange.requestBody, body.bytes.count > bodyLimit { exchange.requestBody = nil }
    }
}
