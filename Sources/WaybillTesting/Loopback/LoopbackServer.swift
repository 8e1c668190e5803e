import Foundation
import Waybill

/// A small HTTP/1.1 server on 127.0.0.1 that serves a table of answers over real sockets, well behaved or not.
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
/// It is strict: a request that RFC 9112 does not allow, or lets a server refuse, is refused with a text that says why,
/// and is not recorded. It keeps connections open, and gives each a thread of its own. A client that ends its side of a
/// connection before its answer is complete has given it up. Any number of servers can run in a process.
public final class LoopbackServer: Sendable {
    /// Where the server is, without a path: `http://127.0.0.1:49152`.
    public let url: URL

    private let context: LoopbackContext
    private let acceptor: Monitor<JoinableThread?>

    /// Starts a server at a port that the system chooses.
    ///
    /// - Parameters:
    ///   - answers: the table.
    ///   - limits: how large a request is accepted.
    ///   - keepsRequests: whether ``requests`` are kept; false spares the memory where millions are to come.
    /// - Throws: ``AnswersError`` where the table is malformed; an error that names the system call where the system
    ///   refuses a socket or a thread.
    public init(_ answers: Answers, limits: RequestLimits = RequestLimits(), keepsRequests: Bool = true) throws {
        try answers.validate()
        let (socket, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        let context = LoopbackContext(
            url: url,
            desk: AnswerDesk(answers),
            log: RequestLog(keepsRequests: keepsRequests),
            limits: limits,
            stop: try Waker()
        )
        let listener = LoopbackListener(socket: socket, context: context, ended: try Waker())
        self.url = url
        self.context = context
        acceptor = Monitor(try JoinableThread { listener.run() })
    }

    /// Starts a server that answers every request by a closure.
    public convenience init(
        limits: RequestLimits = RequestLimits(),
        keepsRequests: Bool = true,
        _ answer: @escaping @Sendable (ReceivedRequest) async throws -> Answer
    ) throws {
        try self.init(Answers().otherwise(.answer(answer)), limits: limits, keepsRequests: keepsRequests)
    }

    deinit { stop() }

    /// Runs a server for as long as the closure does.
    ///
    /// - Throws: what ``init(_:limits:keepsRequests:)`` throws, and what the closure throws.
    public nonisolated(nonsending) static func run<Result>(
        _ answers: Answers,
        limits: RequestLimits = RequestLimits(),
        _ body: nonisolated(nonsending) (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try LoopbackServer(answers, limits: limits)
        defer { server.stop() }
        return try await body(server)
    }

    /// Closes every connection and the port, and waits until the server's threads have ended.
    ///
    /// Answers that are still waiting are given up. Stopping again does nothing.
    public func stop() {
        context.stop.wake()
        // Joined under the lock, so that whoever stops at the same time waits too. The threads never come here.
        acceptor.update { thread in
            thread?.join()
            thread = nil
        }
    }
}

extension LoopbackServer {
    /// The requests so far, in the order in which they were complete.
    public var requests: [ReceivedRequest] { context.log.requests }

    /// The number of requests so far; it counts those that are not kept too.
    public var requestCount: Int { context.log.count }

    /// Waits until so many requests came, answered or not.
    ///
    /// - Returns: the requests so far: fewer than `count` only where the waiting task was cancelled, or where requests
    ///   are not kept.
    @discardableResult
    public func waitForRequests(count: Int) async -> [ReceivedRequest] { await context.log.wait(count: count) }

    /// The number of connections that were accepted so far.
    public var acceptedConnections: Int { context.connections.current.accepted }

    /// The number of connections that are open now.
    public var openConnections: Int { context.connections.current.open }

    /// Waits until at most so many connections are open; returns early when the task is cancelled.
    ///
    /// So a test sees that a client that gives a request up closes its connection. The answer should be one that never
    /// ends by itself (``AnswerExpression/bodyNever()``): behind a complete answer, the client may keep the connection.
    public func waitForOpenConnections(atMost count: Int) async {
        await context.connections.wait { $0.open <= count }
    }
}
