import Foundation
import Waybill

/// A transport that responds from a table or a closure instead of a network, and records the requests.
///
/// ```swift
/// let stub = StubTransport(["GET products/{}": .json(#"{"id": 1, "name": "Lamp"}"#)])
/// let shop = Shop(url, transport: stub)
/// _ = try await shop.products.read(1)
/// #expect(stub.requests.map(\.template) == ["products/{}"])
/// ```
///
/// The same table works for a stub and a ``LoopbackServer``. Where a server breaks the connection, a stub throws a
/// `TransportError`: `connectionLost` for a connection cut before or inside the response, and `invalidResponse` for
/// bytes that are not HTTP.
///
/// Copies share the recorded requests and the positions in sequences.
public struct StubTransport: Transport {
    private let handler: RequestHandler
    private let clock: any Clock<Duration>
    private let record = RequestRecord()

    /// Creates a transport that responds from a table.
    ///
    /// A request is looked up by its method and its template, with the URL's values in place of each `{}`. As on a
    /// server, the key `GET products/search` wins over `GET products/{}` if the value is `search`. A path prefix before
    /// the template, such as `/v1`, is ignored.
    ///
    /// - Parameters:
    ///   - responses: the table. If a key is malformed, every request gets a 501 that explains the problem.
    ///   - clock: the clock for delayed responses, such as a ``ManualClock``.
    public init(_ responses: StubResponses, clock: any Clock<Duration> = ContinuousClock()) {
        handler = RequestHandler(responses)
        self.clock = clock
    }

    /// Creates a transport that responds to every request with a closure's result.
    ///
    /// - Parameter response: the closure. If it throws, the request fails with the error, wrapped in a `TransportError`
    ///   if it is not one.
    public init(_ response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse) {
        self.init(StubResponses().otherwise(.response(response)))
    }

    /// The requests received so far, in order.
    public var requests: [ReceivedRequest] { record.requests }

    /// Waits until at least `count` requests have been received, whether or not they have a response yet.
    ///
    /// - Parameter count: the number of requests since the stub was created.
    /// - Returns: the requests received so far; fewer than `count` only if the waiting task was cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await record.wait(count: count) }

    /// Records the request and returns its stubbed response.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer; their template selects the response.
    /// - Returns: the response.
    /// - Throws: the `TransportError` from the table or the closure, `TransportError(.cancelled)` if the task is
    ///   cancelled, or the error of the request's body.
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

    /// The template of requests to a URL supplied by a server, such as a link.
    private static let templateOfURLs = "{url}"

    /// Returns the path to look up: the part of the URL's path that the template covers.
    ///
    /// For a server-supplied URL, this is the longest suffix of the path that matches a key.
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
