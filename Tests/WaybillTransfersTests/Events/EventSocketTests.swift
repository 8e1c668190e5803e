import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTransfers

@testable import WaybillTesting

/// LaunchDarkly's groups of contract tests for server-sent events, rebuilt over sockets.
@Suite("Event streams over sockets", .largeInTurn, .safetyNet)
struct EventSocketTests {
    private static func endpoint(_ client: Client) -> Endpoint<Events<String>> { client.endpoint { POST("it") } }

    private static func read(_ endpoint: Endpoint<Events<String>>) async -> (events: [String], error: APIError?) {
        var received: [String] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() {
                received.append("\(event.name)|\(event.data)|\(event.id)")
            }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    @Test(
        "Lines ending in CR, LF, or CRLF are read alike in chunks of one or two bytes",
        arguments: Carrier.allCases,
        Thoroughness.isWhole ? [1, 2] : [1]
    )
    func lineEnds(_ carrier: Carrier, _ size: Int) async throws {
        let text = "\u{FEFF}: comment\nevent: e\nid: 1\ndata: a\ndata: b\n\n:\ndata: ü\nunknown: x\n\ndata: cut"
        for end in ["\n", "\r", "\r\n"] {
            let transport = try carrier.transport()
            let response: Responder = .events(text.replacingOccurrences(of: "\n", with: end)).chunked(bytes: size)
            try await LoopbackServer.run(["POST it": response]) { server async throws in
                let (events, error) = await Self.read(Self.endpoint(Client(server.url, transport: transport)))
                #expect(error == nil)
                #expect(events == ["e|a\nb|1", "message|ü|1"], "\(end.debugDescription)")
            }
        }
    }

    @Test("A request for events has the declared method, body, and header fields", arguments: Carrier.allCases)
    func request(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["REPORT it": .events("data: a\n\n")]) { server async throws in
            let client = Client(server.url, transport: transport)
            let endpoint: Endpoint<Events<String>> = client.endpoint {
                Route("REPORT", "it")
                Header("X-Name", "value")
                Body(["q": 1] as JSONValue)
            }
            #expect(await Self.read(endpoint).events == ["message|a|"])
            let request = try #require(server.requests.first)
            #expect(request.headerFields["Accept"] == "text/event-stream")
            #expect(request.headerFields["Cache-Control"] == "no-cache")
            #expect(request.headerFields["X-Name"] == "value")
            #expect(request.headerFields["Last-Event-ID"] == nil)
            #expect(request.text == #"{"q":1}"#)
        }
    }

    @Test("Redirects are followed to the events", arguments: Carrier.allCases, [301, 307])
    func redirects(_ carrier: Carrier, _ status: Int) async throws {
        let transport = try carrier.transport()
        let responses: StubResponses = [
            "GET it": .redirect(to: "there", status: HTTPResponse.Status(code: status)),
            "GET there": .sequence([.events("data: a\n\n"), .status(204)]),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport)
            let endpoint: Endpoint<Events<String>> = client.endpoint {
                GET("it")
                Events.Reconnection.none
            }
            #expect(await Self.read(endpoint).events == ["message|a|"])
        }
    }

    @Test("A response without content ends the stream before its first event", arguments: Carrier.allCases)
    func noContent(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET it": .status(204)]) { server async throws in
            let endpoint: Endpoint<Events<String>> = Client(server.url, transport: transport).endpoint { GET("it") }
            let (events, error) = await Self.read(endpoint)
            #expect(events.isEmpty)
            #expect(error == nil)
            #expect(server.requestCount == 1)
        }
    }

    @Test("A paused loop stops the server", arguments: Carrier.without(.buffersWithoutBound))
    func backpressure(_ carrier: Carrier) async throws {
        let comment = ":" + String(repeating: " ", count: 998) + "\n"
        let comments = String(repeating: comment, count: Thoroughness.repetitions(24_000, otherwise: 14_000))
        let transport = try carrier.transport(Carrier.Settings(bufferedBytes: 10_000, allowsSilence: true))
        let responses: StubResponses = [
            "POST it": .events("data: a\n\n\(comments)data: b\n\n").closing(), "GET fine": .text("fine"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            var events = try await Self.endpoint(Client(server.url, transport: transport)).stream()
                .makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            for _ in 0..<200 { try await transport.expectWorks(server) }
            // The server closes the connection after its response, so it has not sent all of it yet.
            #expect(server.openConnections == 2)
            #expect(try await events.next()?.data == "b")
            #expect(try await events.next() == nil)
        }
    }
}
