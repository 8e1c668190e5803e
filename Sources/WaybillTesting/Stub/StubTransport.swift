import Foundation
import Waybill

/// A transport without a network: it responds from a table or from a closure, and records what it was sent.
///
/// ```swift
/// let stub = StubTransport(["GET products/{}": .json(#"{"id": 1, "name": "Lamp"}"#)])
/// let shop = Shop(url, transport: stub)
/// _ = try await shop.products.read(1)
/// #expect(stub.requests.map(\.template) == ["products/{}"])
/// ```
///
/// A table works for a stub and for a ``LoopbackServer`` alike. A failure on the server's wire is a `TransportError`
/// of the stub: a cut connection is `connectionLost` (before the response, or while its body is read), bytes that are
/// not HTTP are `invalidResponse`.
///
/// Copies share the recorded requests and the positions of sequences.
public struct StubTransport: Transport {
    private let handler: RequestHandler
    private let clock: any Clock<Duration>
    private let record = RequestRecord()

    /// Creates a transport that responds from a table.
    ///
    /// A request is looked up by its method and template, with the values of its URL for each `{}`: as at a server,
    /// the key `GET products/search` wins over `GET products/{}` if the value is `search`. A path before the template
    /// in the URL (`/v1`) is ignored.
    ///
    /// - Parameters:
    ///   - responses: the table. If a key is malformed, every request gets a 501 with a text that says so.
    ///   - clock: the clock for delays of responses, such as a ``ManualClock``.
    public init(_ responses: StubResponses, clock: any Clock<Duration> = ContinuousClock()) {
        handler = RequestHandler(responses)
        self.clock = clock
    }

    /// Creates a transport that responds to every request by a closure.
    ///
    /// - Parameter response: the closure. An error that it throws is thrown as a `TransportError`.
    public init(_ response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse) {
        self.init(StubResponses().otherwise(.response(response)))
    }

    /// The requests so far, in the order in which they were sent.
    public var requests: [ReceivedRequest] { record.requests }

    /// Waits until `count` requests were sent, with a response or without.
    ///
    /// - Parameter count: the number of requests since the stub was created.
    /// - Returns: the requests so far: fewer than `count` only if the waiting task was cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await record.wait(count: count) }

    /// Records the request and responds to it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer, whose template is looked up.
    /// - Returns: the response.
    /// - Throws: the `TransportError` that the table or the closure gives.
    public func send(
        _ request: HTTPRequest,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        let body = try await request.body?.collect() ?? Data()
        let assignment = handler.assign(method: request.method, path: lookupPath(of: request, options.template))
        let received = ReceivedRequest(
            method: request.method,
            url: request.url,
            path: request.url.path(percentEncoded: true),
            template: options.template ?? request.url.path,
            pathValues: assignment.pathValues,
            query: request.url.query(percentEncoded: true),
            headerFields: request.headerFields,
            body: body,
            wire: nil
        )
        record.add(received)
        do {
            let response: StubResponse
            switch assignment.plan {
            case .response(let fixed): response = fixed
            case .closure(let closure): response = try await closure(received)
            }
            return try await StubPlayback(stubbed: response, clock: clock).response(to: request.method)
        } catch {
            throw TransportError(wrapping: Task.isCancelled ? CancellationError() : error)
        }
    }

    /// The template of a request to a URL that a server gave.
    private static let templateOfURLs = "{url}"

    /// Returns the path to look up: the part of the URL's path that the template stands for.
    ///
    /// For a URL that a server gave it is the longest end of the path that the table has.
    private func lookupPath(of request: HTTPRequest, _ template: String?) -> String {
        let path = request.url.path(percentEncoded: true)
        guard let template else { return path }
        if template == Self.templateOfURLs, !handler.hasResponse(method: request.method, path: template) {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            let ends = segments.indices.map { "/" + segments[$0...].joined(separator: "/") }
            return ends.first { handler.hasResponse(method: request.method, path: $0) } ?? path
        }
        guard let pattern = try? PathPattern(template) else { return template }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let longest = pattern.hasMany ? max(parts.count, pattern.segments.count) : pattern.segments.count
        for count in pattern.segments.count...longest {
            let tail = "/" + parts.suffix(count).joined(separator: "/")
            if pattern.values(in: PathPattern.segments(of: tail)) != nil { return tail }
        }
        return template
    }
}
