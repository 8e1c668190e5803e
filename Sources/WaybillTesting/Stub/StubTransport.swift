import Foundation
import Waybill

/// A transport without a network: it answers from a table or from a closure, and records what it was sent.
///
/// ```swift
/// let stub = StubTransport(["GET products/{}": .json(#"{"id": 1, "name": "Lamp"}"#)])
/// let shop = Shop(url, transport: stub)
/// _ = try await shop.products.read(1)
/// #expect(stub.requests.map(\.template) == ["products/{}"])
/// ```
///
/// The table of a ``LoopbackServer`` serves here too. What goes wrong on a wire there is the `TransportError` here
/// that it comes to: a cut connection is `connectionLost` (before the response, or while its body is read), bytes that
/// are not HTTP are `invalidResponse`.
///
/// Copies share what they recorded and how far their sequences are.
public struct StubTransport: Transport {
    private let desk: AnswerDesk
    private let clock: any Clock<Duration>
    private let log = RequestLog()

    /// Creates a transport that answers from a table.
    ///
    /// A request's method and template are looked up, with the values of its URL for each `{}`: as at a server, the
    /// key `GET products/search` wins over `GET products/{}` where the value is `search`. A path that the URL has in
    /// front of the template (`/v1`) counts for nothing.
    ///
    /// - Parameters:
    ///   - answers: the table. Where a key is malformed, every request gets a 501 with a text that says so.
    ///   - clock: what measures the delays of answers, such as a ``ManualClock``.
    public init(_ answers: Answers, clock: any Clock<Duration> = ContinuousClock()) {
        desk = AnswerDesk(answers)
        self.clock = clock
    }

    /// Creates a transport that answers every request by a closure.
    ///
    /// An error that it throws is thrown as a `TransportError`.
    public init(_ answer: @escaping @Sendable (ReceivedRequest) async throws -> Answer) {
        self.init(Answers().otherwise(.answer(answer)))
    }

    /// The requests so far, in the order in which they were sent.
    public var requests: [ReceivedRequest] { log.requests }

    /// Waits until so many requests were sent, answered or not.
    ///
    /// - Returns: the requests so far: fewer than `count` only where the waiting task was cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await log.wait(count: count) }

    /// Records the request and answers it.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        let body = try await request.body?.collect() ?? Data()
        let assignment = desk.assign(method: request.method, path: Self.lookupPath(of: request))
        let received = ReceivedRequest(request, body: body, pathValues: assignment.pathValues)
        log.record(received)
        do {
            let answer: Answer
            switch assignment.plan {
            case .answer(let fixed): answer = fixed
            case .closure(let closure): answer = try await closure(received)
            }
            return try await StubPlayback(answer: answer, clock: clock).response(to: request.method)
        } catch {
            throw TransportError(wrapping: Task.isCancelled ? CancellationError() : error)
        }
    }

    /// The path to look up: the part of the URL's path that the template stands for.
    private static func lookupPath(of request: HTTPRequest) -> String {
        let path = request.url.path(percentEncoded: true)
        // Without a template of its own a request has its URL's path, percent-decoded, as its template.
        if request.template == request.url.path { return path }
        guard let pattern = try? PathPattern(request.template) else { return request.template }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let longest = pattern.hasMany ? max(parts.count, pattern.segments.count) : pattern.segments.count
        for count in pattern.segments.count...longest {
            let tail = "/" + parts.suffix(count).joined(separator: "/")
            if pattern.values(in: PathPattern.segments(of: tail)) != nil { return tail }
        }
        return request.template
    }
}

extension ReceivedRequest {
    fileprivate init(_ request: HTTPRequest, body: Data, pathValues: [String]) {
        method = request.method
        url = request.url
        path = request.url.path(percentEncoded: true)
        template = request.template
        self.pathValues = pathValues
        query = request.url.query(percentEncoded: true)
        headerFields = request.headerFields
        self.body = body
        wire = nil
    }
}
