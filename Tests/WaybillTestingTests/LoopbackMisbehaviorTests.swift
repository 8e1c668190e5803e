import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Misbehavior of loopback servers", .inTurn, .safetyNet)
struct LoopbackMisbehaviorTests {
    static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 4\r\n\r\n"

    @Test(
        "A loopback server closes the connection at the declared point",
        arguments: [
            (.text("abcd").truncated(afterBytes: 3), head + "abc"),
            (.text("abcd").closed(.afterHead), head),
            (.text("abcd").closed(.beforeHead), ""),
            (StubResponse(body: Data("abcd".utf8)).closed(.insideHead), "HTTP/1.1 200 OK\r\nContent-Le"),
            (
                StubResponse(body: Data("abcd".utf8)).chunked().truncated(afterBytes: 1),
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na"
            ),
            (.raw("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"), "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"),
            (.raw([0, 255, 13].map(UInt8.init)), "\0\u{FFFD}\r"),
            (.garbage, "this is not HTTP\r\n\r\n"),
        ] as [(StubResponse, String)]
    )
    func closes(_ response: StubResponse, text: String) async throws {
        try await LoopbackServer.run(["GET a": .response(response)]) { server in
            let client = try WireClient(server.url)
            await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            let received = await client.receiveAll()
            #expect(received.text == text)
            #expect(received.ending == .closed)
        }
    }

    @Test(
        "A loopback server resets the connection at the declared point",
        arguments: [
            (.beforeHead, ""), (.insideHead, "HTTP/1.1 200 OK\r\nContent-Type: text/plain; chars"), (.afterHead, head),
            (.insideBody, head + "ab"), (.afterBodyBytes(3), head + "abc"),
        ] as [(StubResponse.CutPoint, String)]
    )
    func resets(_ point: StubResponse.CutPoint, text: String) async throws {
        let server = try LoopbackServer(["GET a": .text("abcd").reset(point)])
        let client = try WireClient(server.url)
        await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        let received = await client.receiveAll()
        #expect(received.ending == .reset)
        // A reset can discard bytes that were sent before it.
        #expect(text.hasPrefix(received.text))
    }

    @Test("A loopback server resets the connection after the client has read the head")
    func resetsBehindGate() async throws {
        let gate = Gate()
        let server = try LoopbackServer(["GET a": .text("abcd").bodyHeld(by: gate).reset(.afterHead)])
        let client = try WireClient(server.url)
        await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await client.receive(through: "\r\n\r\n").text == Self.head)
        gate.open()
        #expect(await client.receiveAll() == .init(bytes: [], ending: .reset))
    }

    @Test("A loopback server resets the connection for a declared failure")
    func fails() async throws {
        let server = try LoopbackServer(["GET a": .failure(TransportError(.timedOut))])
        #expect(try await server.url.get("/a") == .init(bytes: [], ending: .reset))
    }

    @Test("A loopback server closes the connection after the response, announced or not", arguments: [true, false])
    func closesAfterwards(_ isAnnounced: Bool) async throws {
        let server = try LoopbackServer(["GET a": .text("abcd").closing(announced: isAnnounced)])
        let client = try WireClient(server.url)
        await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        let received = await client.receiveAll()
        #expect(received.text.contains("Connection: close") == isAnnounced)
        #expect(received.text.hasSuffix("abcd"))
        #expect(received.ending == .closed)
    }

    @Test("A loopback server holds the head and the body until their gates open")
    func holdsBack() async throws {
        let (headGate, bodyGate) = (Gate(), Gate())
        let server = try LoopbackServer(["GET a": .text("abcd").held(by: headGate).bodyHeld(by: bodyGate)])
        let client = try WireClient(server.url)
        await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await server.waitForRequests(count: 1)
        headGate.open()
        #expect(await client.receive(through: "\r\n\r\n").text == Self.head)
        bodyGate.open()
        #expect(await client.receive(through: "abcd").text == "abcd")
    }

    @Test("A loopback server delays and drips a response without losing a byte")
    func drips() async throws {
        let response = StubResponse.text("abcd").delayed(.milliseconds(1)).bodyDelayed(.microseconds(10))
        let server = try LoopbackServer([
            "GET a": .response(response.dripped(bytes: 1, every: .milliseconds(1))),
            "GET b": .response(response.chunked(bytes: 3).dripped(bytes: 2, every: .milliseconds(1))),
        ])
        let start = ContinuousClock.now
        #expect(try await server.url.get("/a").text.hasSuffix("\r\n\r\nabcd"))
        #expect(ContinuousClock.now - start >= .milliseconds(4))
        #expect(try await server.url.get("/b").text.hasSuffix("\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"))
    }

    @Test(
        "A response declared as never keeps the connection open until the client or the server ends it",
        arguments: [true, false]
    )
    func neverResponds(_ clientGivesUp: Bool) async throws {
        let server = try LoopbackServer(["GET a": .never, "GET b": .text("abcd").bodyNever()])
        var clients: [WireClient] = []
        for path in ["/a", "/b"] {
            let client = try WireClient(server.url)
            await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            clients.append(client)
        }
        #expect(await clients[1].receive(through: "\r\n\r\n").text == Self.head)
        await server.waitForRequests(count: 2)
        #expect(server.openConnections == 2)
        if clientGivesUp {
            clients = []
            await server.waitForOpenConnections(atMost: 0)
        } else {
            server.stop()
            #expect(await clients[0].receiveAll() == .init(bytes: [], ending: .closed))
        }
        #expect(server.openConnections == 0)
    }

    @Test("A loopback server cancels a closure whose client has disconnected")
    func cancelsClosure() async throws {
        let (started, cancelled) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            started.open()
            await Gate().waitUntilOpen()
            cancelled.open()
            return .status(200)
        }
        var client: WireClient? = try WireClient(server.url)
        await client?.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await started.waitUntilOpen()
        client = nil
        await cancelled.waitUntilOpen()
    }
}
