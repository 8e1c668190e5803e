import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

@Suite("URLSessionTransport: failures", .inTurn, .safetyNet)
struct URLSessionFailureTests {
    private let transport = URLSessionTransport()

    private func failure(
        of method: HTTPRequest.Method = .get,
        _ url: URL,
        body: HTTPBody? = nil
    ) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(method: method, url: url, body: body)).body.collect()
        }
    }

    @Test(
        "URLSessionTransport reports a lost connection",
        arguments: [
            .reset(.beforeHead), .text("a body").closed(.beforeHead), .reset(.insideBody), .reset(.afterHead),
            .text("a body").truncated(afterBytes: 0), .text("a body").truncated(afterBytes: 3),
            .text("a body").chunked(bytes: 2).truncated(afterBytes: 0),
            .text("a body").chunked(bytes: 2).truncated(afterBytes: 3),
            .text("a body").chunked(bytes: 2).truncated(afterBytes: 6),
        ] as [StubResponse]
    )
    func losesConnection(_ stubbed: StubResponse) async throws {
        try await LoopbackServer.run(["GET it": .response(stubbed), "GET other": .text("fine")]) {
            server async throws in
            let error = await failure(server.url.appending(path: "it"))
            #expect(error?.kind == .connectionLost)
            let next = HTTPRequest(method: .get, url: server.url.appending(path: "other"))
            #expect(try await transport.send(next).body.collect() == Data("fine".utf8))
        }
    }

    @Test("URLSessionTransport delivers the head and the first bytes before reporting a lost connection")
    func deliversBrokenBodies() async throws {
        try await LoopbackServer.run(["GET it": .text("a body").truncated(afterBytes: 3)]) { server async throws in
            let response = try await transport.send(
                HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            )
            #expect(response.status == 200)
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Data("a b".utf8))
            let error = await #expect(throws: TransportError.self) { try await iterator.next() }
            #expect(error?.kind == .connectionLost)
        }
    }

    @Test(
        "URLSessionTransport reports an invalid response",
        arguments: [
            .garbage, .raw("\r\n\r\n"), .raw("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nab"),
            .raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\na body"),
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nnot a size\r\n"),
        ] as [StubResponse]
    )
    func tellsInvalidResponses(_ stubbed: StubResponse) async throws {
        try await LoopbackServer.run(["GET it": .response(stubbed)]) { server async throws in
            #expect(await failure(server.url.appending(path: "it"))?.kind == .invalidResponse)
        }
    }

    @Test("URLSessionTransport reports a refused connection with the host and without the query")
    func isRefused() async throws {
        let server = try LoopbackServer([:])
        let url = server.url
        server.stop()
        let error = await failure(
            url.appending(path: "path").appending(queryItems: [.init(name: "key", value: "secret")])
        )
        #expect(error?.kind == .cannotConnect)
        #expect(error?.message.hasPrefix("127.0.0.1:\(url.port ?? 0) cannot be reached (URLSession: ") == true)
        #expect(error.map { "\($0)\($0.underlying as Any)".contains("secret") } == false)
    }

    @Test("URLSessionTransport reports an unresolved host")
    func cannotResolve() async throws {
        // Names under `invalid` have no address (RFC 6761, section 6.4).
        let error = await failure(try #require(URL(string: "http://waybill.invalid/path?key=secret")))
        #expect(error?.kind == .cannotResolveHost)
        #expect(error?.message.hasPrefix("waybill.invalid has no address (URLSession: ") == true)
        #expect(error.map { "\($0)\($0.underlying as Any)".contains("secret") } == false)
    }

    @Test("URLSessionTransport reports a failed TLS handshake")
    func cannotSecure() async throws {
        // The server parses the TLS ClientHello as a malformed request, and rejects it in plain text.
        try await LoopbackServer.run([:]) { server async throws in
            let text = server.url.absoluteString.replacingOccurrences(of: "http:", with: "https:")
            #expect(await failure(try #require(URL(string: text)))?.kind == .secureConnectionFailed)
        }
    }

    @Test("URLSessionTransport times out on silence before the head and inside the body", arguments: [true, false])
    func timesOut(beforeHead: Bool) async throws {
        let stubbed = beforeHead ? StubResponse.never : StubResponse.text("a body").bodyNever()
        try await LoopbackServer.run(["GET it": .response(stubbed), "GET other": .text("fine")]) {
            server async throws in
            let transport = URLSessionTransport(idleTimeout: .seconds(1))
            let error = await #expect(throws: TransportError.self) {
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                return try await transport.send(request).body.collect()
            }
            #expect(error?.kind == .timedOut)
            #expect(error?.message == "127.0.0.1:\(server.url.port ?? 0) was silent for 1 s")
            await server.waitForOpenConnections(atMost: 0)
            #expect(try await patientBody(server.url.appending(path: "other"), transport) == Data("fine".utf8))
        }
    }

    /// Returns the body of a response.
    ///
    /// Repeats the request if it times out, because a second can be too short on a machine under load.
    private func patientBody(_ url: URL, _ transport: URLSessionTransport) async throws -> Data {
        let request = HTTPRequest(method: .get, url: url)
        while true {
            let error: TransportError
            do { return try await transport.send(request).body.collect() } catch let thrown { error = thrown }
            guard error.kind == .timedOut else { throw error }
        }
    }

    @Test("URLSessionTransport does not count time in the queue against the idle timeout")
    func doesNotTimeOutInLine() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpMaximumConnectionsPerHost = 1
        let transport = URLSessionTransport(configuration: configuration, idleTimeout: .seconds(1))
        try await LoopbackServer.run(["GET it": .never]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...3 {
                    group.addTask {
                        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
                        #expect(error?.kind == .timedOut)
                    }
                }
            }
            // The calls run sequentially, each with the full timeout. A slow machine only takes longer.
            #expect(ContinuousClock.now - start >= .seconds(3))
        }
    }

    @Test(
        "URLSessionTransport accepts any idle timeout",
        arguments: [nil, .seconds(Int64.max), .nanoseconds(Int64.max)] as [Duration?]
    )
    func takesAnyIdleTimeout(_ timeout: Duration?) async throws {
        try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let response = try await URLSessionTransport(idleTimeout: timeout).send(request)
            #expect(try await response.body.collect() == Data("fine".utf8))
        }
    }
}
