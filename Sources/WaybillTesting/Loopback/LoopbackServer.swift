import Foundation
import Waybill

/// A small HTTP/1.1 server on 127.0.0.1 that serves a table of responses over real sockets, well behaved or not.
///
/// ```swift
/// try await LoopbackServer.run([
///     "GET products": .json("[]"),
///     "GET products/{}": .json(#"{"id": 1}"#).truncated(after: 5),
/// ]) { server in
///     let shop = Shop(server.url)
///     await #expect(throws: APIError.self) { try await shop.products.read(1) }
///     #expect(server.requests.first?.wire?.requestLine == "GET /products/1 HTTP/1.1")
/// }
/// ```
///
/// It is strict: a request that RFC 9112 does not allow, or lets a server reject, is rejected with a text that says
/// why, and is not recorded. It keeps connections open, and gives each a thread of its own, which takes about 100 kB of
/// memory. So it serves at most 1,000 connections at once; the system keeps about as many others waiting until one of
/// them is closed. A client that ends its side of a connection before its response is complete has given it up. Any
/// number of servers can run in a process.
public final class LoopbackServer: Sendable {
    /// The URL of the server, without a path: `http://127.0.0.1:49152`.
    public let url: URL

    private let context: LoopbackContext
    private let acceptor: Monitor<JoinableThread?>

    /// Starts a server at a port that the system chooses.
    ///
    /// - Parameters:
    ///   - responses: the table.
    ///   - limits: the limits on the size of a request.
    ///   - keepsRequests: whether ``requests`` are kept; false saves the memory of millions of requests.
    /// - Throws: ``StubResponses/Failure`` if the table is malformed; an error that names the system call if the system
    ///   has no socket or thread to give.
    public convenience init(
        _ responses: StubResponses,
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        keepsRequests: Bool = true
    ) throws {
        try self.init(responses, limits: limits, keepsRequests: keepsRequests, maximumConnections: 1000)
    }

    /// Starts a server with another limit on the connections at once.
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

    /// Starts a server that responds to every request by a closure.
    ///
    /// - Parameters:
    ///   - limits: the limits on the size of a request.
    ///   - keepsRequests: whether ``requests`` are kept; false saves the memory of millions of requests.
    ///   - response: the closure. If it throws, the response is a 500 with the error's text.
    /// - Throws: an error that names the system call if the system has no socket or thread to give.
    public convenience init(
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        keepsRequests: Bool = true,
        _ response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) throws {
        try self.init(StubResponses().otherwise(.response(response)), limits: limits, keepsRequests: keepsRequests)
    }

    deinit { stop() }

    /// Runs a server as long as a closure runs.
    ///
    /// - Parameters:
    ///   - responses: the table.
    ///   - limits: the limits on the size of a request.
    ///   - body: the closure, which gets the running server.
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

    /// Closes every connection and the port, and waits until the server's threads have ended.
    ///
    /// Responses that are still waiting are given up. Stopping again does nothing.
    public func stop() {
        context.stop.wake()
        // Joined under the lock, so that other callers of `stop` wait too. The threads never come here.
        acceptor.update { thread in
            thread?.join()
            thread = nil
        }
    }
}

extension LoopbackServer {
    /// The requests so far, in the order in which they were complete.
    public var requests: [ReceivedRequest] { context.record.requests }

    /// The number of requests so far; it counts those that are not kept too.
    public var requestCount: Int { context.record.count }

    /// Waits until `count` requests came, with a response or without.
    ///
    /// - Parameter count: the number of requests since the server's start.
    /// - Returns: the requests so far: fewer than `count` only if the waiting task was cancelled, or if requests are
    ///   not kept.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await context.record.wait(count: count) }

    /// The number of connections that were accepted so far.
    public var acceptedConnections: Int { context.connections.current.accepted }

    /// The number of connections that are open now.
    public var openConnections: Int { context.connections.current.open }

    /// Waits until few connections are open; returns early if the task is cancelled.
    ///
    /// A test can see by it that a client closes the connection of a request that it gives up. The response should
    /// never end by itself (``StubResponse/Expression/bodyNever()``): after a complete response, the client may keep
    /// the connection.
    ///
    /// - Parameter count: the largest number of open connections to return at.
    public func waitForOpenConnections(atMost count: Int) async {
        await context.connections.wait { $0.open <= count }
    }
}

extension LoopbackServer {
    /// The limits on the size of requests to a ``LoopbackServer``.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a head, and of the trailer fields: a larger head gets a 431, a longer request line a 414.
        public var headBytes: Int

        /// The most bytes of a body: a larger one gets a 413, at once if `Content-Length` says so.
        public var bodyBytes: Int

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - headBytes: the most bytes of a head, and of the trailer fields; by default 64 KiB.
        ///   - bodyBytes: the most bytes of a body; by default 64 MiB.
        public init(headBytes: Int = 64 << 10, bodyBytes: Int = 64 << 20) {
            self.headBytes = headBytes
            self.bodyBytes = bodyBytes
        }
    }
}

/// The state that the threads of a server share.
struct LoopbackContext: Sendable {
    struct Connections: Sendable {
        var accepted = 0
        var open = 0
    }

    let url: URL
    let handler: RequestHandler
    let record: RequestRecord
    let limits: LoopbackServer.Limits
    /// The most connections at once, each of which has a thread.
    let maximumConnections: Int
    /// A waker that is woken once and never reset, so that every thread that waits sees it.
    let stop: Waker
    let connections = Monitor(Connections())
}
