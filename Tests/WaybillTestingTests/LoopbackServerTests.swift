import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Loopback servers", .inTurn, .safetyNet)
struct LoopbackServerTests {
    @Test("A loopback server serves the requests of a connection in order and records them")
    func servesTable() async throws {
        try await LoopbackServer.run([
            "GET products/{}": .json(#"{"id":1}"#).header("ETag", "\"a\""),
            "DELETE products/{}": .status(204),
        ]) { server in
            let client = try WireClient(server.url)
            await client.send("GET /products/7?expand=all&q=a+b HTTP/1.1\r\nHost: h\r\nX-oDD: 1\r\n\r\n")
            let first = await client.receiveResponse()
            #expect(
                first.text == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"a\"\r\n"
                    + "Content-Length: 8\r\n\r\n{\"id\":1}"
            )
            await client.send("DELETE /products/7 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.receiveResponse(hasBody: false).text == "HTTP/1.1 204 No Content\r\n\r\n")

            let requests = server.requests
            try #require(requests.count == 2)
            #expect(requests.map(\.template) == ["products/{}", "products/{}"])
            #expect(requests.map { $0.wire?.connection } == [1, 1])
            #expect(requests[0].url.absoluteString == server.url.absoluteString + "/products/7?expand=all&q=a+b")
            #expect(requests[0].pathValues == ["7"])
            #expect(requests[0].query("q") == "a b")
            #expect(requests[0].wire?.requestLine == "GET /products/7?expand=all&q=a+b HTTP/1.1")
            #expect(
                requests[0].wire?.head
                    == Data("GET /products/7?expand=all&q=a+b HTTP/1.1\r\nHost: h\r\nX-oDD: 1\r\n\r\n".utf8)
            )
            #expect(requests[0].wire?.lines.last == "X-oDD: 1")
            #expect(server.acceptedConnections == 1)
        }
    }

    @Test("A loopback server reads bodies with a length and chunked bodies with trailers")
    func readsBodies() async throws {
        let server = try LoopbackServer { .text(String($0.text.reversed())) }
        let client = try WireClient(server.url)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
        #expect(await client.receiveResponse().text.hasSuffix("\r\n\r\ncba"))
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        await client.send("3\r\nabc\r\n2\r\nde\r\n0\r\nSum: 5\r\n\r\n")
        #expect(await client.receiveResponse().text.hasSuffix("\r\n\r\nedcba"))
        #expect(server.requests.map(\.text) == ["abc", "abcde"])
        #expect(server.requests.last?.wire?.trailerFields.map(\.description) == ["Sum: 5"])
    }

    @Test("A loopback server receives and sends a body larger than a socket's buffer")
    func carriesLargeBodies() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let piece = (0..<10_007).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let body = Array(repeatElement(piece, count: 400).joined())
        let client = try WireClient(server.url)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n")
        await client.send(body)
        let received = await client.receiveAll()
        #expect(Data(received.bytes.suffix(body.count)) == Data(body))
        #expect(received.ending == .closed)
    }

    @Test("A loopback server responds to pipelined requests in order")
    func respondsInOrder() async throws {
        let server = try LoopbackServer(["GET {}": .response { .text($0.pathValues[0]).delayed(.milliseconds(1)) }])
        let texts = try await server.url.exchange(
            (1...3).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
                + "GET /4 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        ).text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(1) }
        #expect(texts == ["1", "2", "3", "4"])
    }

    @Test("A loopback server responds to HEAD with a Content-Length but no body")
    func respondsToHead() async throws {
        let server = try LoopbackServer(["GET a": .text("abc")])
        let received = try await server.url.exchange("HEAD /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(received.text.contains("\r\nContent-Length: 3\r\n"))
        #expect(received.text.hasSuffix("\r\n\r\n"))
    }

    @Test("A loopback server sends 100 Continue, reads the body, and only then responds")
    func letsContinue() async throws {
        let server = try LoopbackServer { .text($0.text) }
        let client = try WireClient(server.url)
        await client.send("PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(await client.receive(through: "\r\n\r\n").text == "HTTP/1.1 100 Continue\r\n\r\n")
        await client.send("ok")
        #expect(await client.receiveResponse().text.hasSuffix("\r\n\r\nok"))
    }

    @Test("A loopback server sends no 100 Continue for a body that is too large")
    func doesNotLetContinue() async throws {
        let server = try LoopbackServer([:], limits: LoopbackServer.Limits(bodyBytes: 1))
        let received = try await server.url.exchange(
            "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        #expect(received.text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    }

    @Test("A loopback server rejects a request with an error status while the client is still sending")
    func rejects() async throws {
        let server = try LoopbackServer([:], limits: LoopbackServer.Limits(headBytes: 100, bodyBytes: 10))
        let large = String(repeating: "x", count: 100_000)
        for (request, status) in [
            ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: \(large)", "431 Request Header Fields Too Large"),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(large.count)\r\n\r\n\(large)", "413 Content Too Large"),
        ] {
            let client = try WireClient(server.url)
            await client.send(request)
            let received = await client.receiveAll()
            #expect(received.text.hasPrefix("HTTP/1.1 \(status)\r\n"))
            #expect(received.text.contains("\r\nConnection: close\r\n"))
            #expect(received.ending == .closed)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A loopback server lists its keys in the 501 for an unknown request")
    func listsKeys() async throws {
        let server = try LoopbackServer(["GET products": .status(200)])
        let text = try await server.url.get("/oops").text
        #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
        #expect(text.contains("No response for GET oops."))
        #expect(text.contains("  GET products\n"))
    }

    @Test("A loopback server does not start with a malformed key")
    func doesNotStart() {
        #expect(throws: StubResponses.Failure.self) { try LoopbackServer(["products": .status(200)]) }
    }

    @Test("A loopback server turns an error thrown by a closure into a 500 with its text")
    func respondsToError() async throws {
        struct Oops: Error {}
        let server = try LoopbackServer { _ in throw Oops() }
        let text = try await server.url.get("/").text
        #expect(text.hasPrefix("HTTP/1.1 500 "))
        #expect(text.contains("Oops()"))
    }

    @Test("A loopback server counts requests that it does not keep")
    func countsOnly() async throws {
        let server = try LoopbackServer(["GET a": .status(204)], keepsRequests: false)
        _ = try await server.url.get("/a")
        #expect(server.requestCount == 1)
        #expect(server.requests.isEmpty)
    }
}
