import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

@Suite("Redirect bodies", .inTurn, .safetyNet)
struct RedirectBodyTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var length: Int?
        var field: String?
        var chunks: [Int] = [5]
        var fails = false
        /// The events between the first and the second request.
        let events: [String]
    }

    @Test(
        "Before a redirect is followed, a short body is read to its end and any other is dropped",
        arguments: [
            Row(testDescription: "short", length: 5, events: ["read 5", "end", "dropped"]),
            Row(testDescription: "empty", length: 0, chunks: [], events: ["end", "dropped"]),
            Row(
                testDescription: "as long as is read",
                length: 16384,
                chunks: [16000, 384],
                events: ["read 16000", "read 384", "end", "dropped"]
            ),
            Row(testDescription: "longer", length: 16385, events: ["dropped"]),
            Row(testDescription: "of unknown length", events: ["dropped"]),
            Row(testDescription: "its length in a field alone", field: "5", events: ["read 5", "end", "dropped"]),
            Row(testDescription: "a field with a large length", field: "1000000", events: ["dropped"]),
            Row(testDescription: "a field that is not a length", field: "5, 6", events: ["dropped"]),
            Row(
                testDescription: "longer than it says",
                length: 5,
                chunks: [16000, 16000, 16000],
                events: ["read 16000", "read 16000", "dropped"]
            ),
            Row(testDescription: "broken off", length: 5, chunks: [2], fails: true, events: ["read 2", "dropped"]),
        ]
    )
    func bodies(_ row: Row) async throws {
        let transport = Watched { chunks in
            let body = HTTPBody(chunks, length: row.length)
            return HTTPResponse(
                status: 302,
                headerFields: HTTPFields(
                    [HTTPField(name: .location, value: "b")]
                        + (row.field.map { [HTTPField(name: .contentLength, value: $0)] } ?? [])
                ),
                body: body
            )
        } chunk: { index in
            if row.chunks.indices.contains(index) { return Data(count: row.chunks[index]) }
            if row.fails { throw TransportError(.connectionLost) }
            return nil
        }
        #expect(try await Client(Shop.url, transport: transport).get("a", as: Int.self) == 1)
        #expect(transport.lines.all == ["send /v1/a"] + row.events + ["send /v1/b"])
    }

    @Test("A call cancelled while reading a redirect's body does not follow the redirect")
    func cancelled() async throws {
        let transport = Watched { chunks in
            HTTPResponse(
                status: 302,
                headerFields: [HTTPField(name: .location, value: "b")],
                body: HTTPBody(chunks, length: 5)
            )
        } chunk: { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw TransportError(.cancelled)
        }
        // Use a separate task, because the transport cancels it.
        let call = Task {
            await failure {
                try await Client(Shop.url, transport: transport).get("a", as: Int.self)
            }
        }
        guard case .cancelled = await call.value else {
            Issue.record("expected a cancelled call")
            return
        }
        #expect(transport.lines.all == ["send /v1/a", "dropped"])
    }

    @Test(
        "A short redirect body permits reuse of the connection, and an endless one does not block",
        arguments: transports
    )
    func connections(_ transport: any Transport) async throws {
        let moved = Responder.text("moved", status: 302).header("Location", "/end")
        let responses: StubResponses = [
            "GET short": moved.dripped(bytes: 1, every: .milliseconds(1)),
            "GET endless": moved.chunked().bodyNever(),
            "GET end": .json("1"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport)
            #expect(try await client.get("short", as: Int.self) == 1)
            #expect(server.acceptedConnections == 1)
            #expect(try await client.get("endless", as: Int.self) == 1)
        }
    }

    private static var transports: [any Transport] {
        #if os(Linux)
            // On Linux, URLSession delays a redirect until its body ends.
            (try? CurlTransport()).map { [$0] } ?? []
        #else
            [.urlSession()]
        #endif
    }

    /// A transport that records requests, the chunks of the first response and the release of its body.
    private struct Watched: Transport {
        let lines = Lines()
        let response: @Sendable (Chunks) -> HTTPResponse
        let chunk: @Sendable (Int) throws -> Data?

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            lines.add("send \(request.url.path)")
            guard request.url.path == "/v1/a" else {
                return HTTPResponse(status: 200, body: HTTPBody(Data("1".utf8)))
            }
            return response(Chunks(transfer: Transfer(lines: lines), chunk: chunk))
        }
    }

    private final class Transfer: Sendable {
        let lines: Lines

        init(lines: Lines) { self.lines = lines }

        deinit { lines.add("dropped") }
    }

    private struct Chunks: AsyncSequence, Sendable {
        let transfer: Transfer
        let chunk: @Sendable (Int) throws -> Data?

        struct Iterator: AsyncIteratorProtocol {
            let chunks: Chunks
            var index = 0

            mutating func next() async throws -> Data? {
                let chunk = try chunks.chunk(index)
                index += 1
                chunks.transfer.lines.add(chunk.map { "read \($0.count)" } ?? "end")
                return chunk
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
    }
}
