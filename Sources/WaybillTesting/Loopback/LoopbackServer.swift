import Foundation
import Waybill

/// A small HTTP/1.1 server on 127.0.0.1 that serves a table of responses, including faulty ones, over real sockets.
///
/// ```swift
/// try await LoopbackServer.run([
///     "GET products": .json("[]"),
///     "GET products/{}": .json(#"{"id": 1}"#).truncated(afterBytes: 5),
/// ]) { server in
///     let shop = Shop(server.url)
///     await #expect(throws: APIError.self) { try await shop.products.read(1) }
///     #expect(server.requests.first?.wire?.requestLine == "GET /products/1 HTTP/1.1")
/// }
/// ```
///
/// The server is strict. A request that violates RFC 9112, or that a server may reject, gets an error response that
/// explains why, and is not recorded.
///
/// Connections are kept open, and each has a dedicated thread, which uses about 100 kB of memory. The server therefore
/// serves at most 1,000 connections at once; the system queues about as many more until one closes. A client that
/// closes its side of a connection before the response is complete abandons the request. Several servers can run in one
/// process.
public final class LoopbackServer: Sendable {
    /// The URL of the server, without a path: `http://127.0.0.1:49152`.
    public let url: URL

    private let context: LoopbackContext
    private let acceptor: Monitor<JoinableThread?>

    /// Starts a server on a port chosen by the system.
    ///
    /// - Parameters:
    ///   - responses: the table.
    ///   - limits: the limits on the size of a request.
    ///   - keepsRequests: whether to keep ``requests``; false saves memory in a test with millions of requests.
    /// - Throws: ``StubResponses/Failure`` if the table is invalid, or an error that names the failed system call if
    ///   the system is out of sockets or threads.
    public convenience init(
        _ responses: StubResponses,
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        keepsRequests: Bool = true
    ) throws {
        try self.init(responses, limits: limits, keepsRequests: keepsRequests, maximumConnections: 1000)
    }

    /// Starts a server with a custom limit on concurrent connections.
    init(_ responses: StubResponses, limits: LoopbackServer.Limits, keepsRequests: Bool, maximumConnections: Int) throws
    {
        try responses.validate()
        let (socket, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        let context = LoopbackContext(
            url: url,
            handler: RequestHandler(responses),
            record: RequestRecord(keepsRequests: keepsRequests),
            limits: limits,
            maximumConnections: maximumConnections,
            stop: try Waker()
        )
        let listener = LoopbackListener(socket: socket, context: context, ended: try Waker())
        self.url = url
        self.context = context
        acceptor = Monitor(try JoinableThread { listener.run() })
    }

    /// Starts a server that responds to every request with a closure's result.
    ///
    /// - Parameters:
    ///   - limits: the limits on the size of a request.
    ///   - keepsRequests: whether to keep ``requests``; false saves memory in a test with millions of requests.
    ///   - response: the closure. If it throws a `TransportError`, the connection is reset; for any other error, the
    ///     response is a 500 with the error's text.
    /// - Throws: an error that names the failed system call if the system is out of sockets or threads.
    public convenience init(
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        keepsRequests: Bool = true,
        _ response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) throws {
        try self.init(StubResponses().otherwise(.response(response)), limits: limits, keepsRequests: keepsRequests)
    }

    deinit { stop() }

    /// Runs a server for the duration of a closure.
    ///
    /// - Parameters:
    ///   - responses: the table.
    ///   - limits: the limits on the size of a request.
    ///   - body: the closure, which receives the running server.
    /// - Returns: the closure's result.
    /// - Throws: the errors of ``init(_:limits:keepsRequests:)`` and of the closure.
    public nonisolated(nonsending) static func run<Result>(
        _ responses: StubResponses,
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        _ body: nonisolated(nonsending) (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try LoopbackServer(responses, limits: limits)
        defer { server.stop() }
        return try await body(server)
    }

    /// Closes all connections and the port, and blocks until the server's threads have ended.
    ///
    /// Responses still in progress are abandoned. Stopping a stopped server does nothing.
    public func stop() {
        context.stop.wake()
        // Joins under the lock, so concurrent callers of `stop` wait too. The server's own threads never call it.
        acceptor.update { thread in
            thread?.join()
            thread = nil
        }
    }
}

extension LoopbackServer {
    /// The requests received so far, in order of completion; empty if requests are not kept.
    public var requests: [ReceivedRequest] { context.record.requests }

    /// The number of requests received so far, including those not kept.
    public var requestCount: Int { context.record.count }

    /// Waits until at least `count` requests have been received, whether or not they have a response yet.
    ///
    /// - Parameter count: the number of requests since the server started.
    /// - Returns: the requests received so far; fewer than `count` only if the waiting task was cancelled or if
    ///   requests are not kept.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await context.record.wait(count: count) }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { context.connections.current.accepted }

    /// The number of open connections.
    public var openConnections: Int { context.connections.current.open }

    /// Waits until at most `count` connections are open, or until the task is cancelled.
    ///
    /// A test can use this to check that a client closes the connection of a request it abandons. Use a response that
    /// never ends (``StubResponse/Expression/bodyNever()``), because a client may keep a connection open after a
    /// complete response.
    ///
    /// - Parameter count: the maximum number of open connections.
    public func waitForOpenConnections(atMost count: Int) async {
        await context.connections.wait { $0.open <= count }
    }
}

extension LoopbackServer {
    /// The limits on the size of requests to a ``LoopbackServer``.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of a head, and of the trailer fields, in bytes.
        ///
        /// Larger ones get a 431, and a longer request line gets a 414.
        public var headBytes: Int

        /// The maximum size of a body, in bytes.
        ///
        /// A larger body gets a 413: immediately if `Content-Length` exceeds the limit, otherwise once the body does.
        public var bodyBytes: Int

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - headBytes: the maximum size of a head, and of the trailer fields, in bytes; by default 64 KiB.
        ///   - bodyBytes: the maximum size of a body, in bytes; by default 64 MiB.
        public init(headBytes: Int = 64 << 10, bodyBytes: Int = 64 << 20) {
            self.headBytes = headBytes
            self.bodyBytes = bodyBytes
        }
    }
}

/// The state shared by a server's threads.
struct LoopbackContext: Sendable {
    struct Connections: Sendable {
        var accepted = 0
        var open = 0
    }

    let url: URL
    let handler: RequestHandler
    let record: RequestRecord
    let limits: LoopbackServer.Limits
    /// The maximum number of concurrent connections, each with a dedicated thread.
    let maximumConnections: Int
    /// The waker that signals the end of the server; it is never reset, so every waiting thread sees it.
    let stop: Waker
    let connections = Monitor(Connections())
}
