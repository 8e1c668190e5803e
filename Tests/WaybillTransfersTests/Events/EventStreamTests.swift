import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Event streams", .inTurn, .safetyNet)
struct EventStreamTests {
    struct Chunk: Decodable, Sendable, Hashable { let text: String }

    struct Failure: Decodable, Sendable {
        struct Reason: Decodable, Sendable { let message: String }

        let error: Reason
    }

    private static func events(_ text: String, _ contentType: String = "text/event-stream") -> Responder {
        .text(text, headers: [HTTPField(name: .contentType, value: contentType)]).chunked(bytes: 5)
    }

    private static func withClient<Result>(
        _ response: Responder,
        over carrier: Carrier,
        _ body: (Client, LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let transport = try carrier.transport()
        let responses: StubResponses = ["GET chat": response, "POST chat": response]
        return try await LoopbackServer.run(responses) { server async throws in
            try await body(Client(server.url, transport: transport, clock: ManualClock()), server)
        }
    }

    private static func read<Value: Decodable & Sendable>(
        _ endpoint: Endpoint<Events<Value>>
    ) async -> (events: [Events<Value>.Event], error: APIError?) {
        var received: [Events<Value>.Event] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event) }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    @Test("A POST's events are decoded until the declared end", arguments: Carrier.allCases)
    func chat(_ carrier: Carrier) async throws {
        let text =
            "id: 1\ndata: {\"text\":\"Hel\"}\n\n: ping\n\nevent: delta\ndata: {\"text\":\"lo\"}\n\ndata: [DONE]\n\n"
        try await Self.withClient(Self.events(text + "data: x\n\n"), over: carrier) { client, server in
            let endpoint: Endpoint<Events<Chunk>> = client.endpoint {
                POST("chat")
                Events.End("[DONE]")
            }
            let (events, error) = await Self.read(endpoint)
            #expect(error == nil)
            #expect(
                events == [
                    Events.Event(data: Chunk(text: "Hel"), name: "message", id: "1"),
                    Events.Event(data: Chunk(text: "lo"), name: "delta", id: "1"),
                ]
            )
            #expect(server.requests.map { $0.headerFields["Accept"] } == ["text/event-stream"])
        }
    }

    @Test("A POST's events end with the response, and the request is not repeated", arguments: Carrier.allCases)
    func post(_ carrier: Carrier) async throws {
        try await Self.withClient(Self.events("data: a\n\ndata: b\n\n"), over: carrier) { client, server in
            let endpoint: Endpoint<Events<String>> = client.endpoint { POST("chat") }
            #expect(await Self.read(endpoint).events.map(\.data) == ["a", "b"])
            let whole = try await endpoint.send()
            #expect(whole.all.map(\.data) == ["a", "b"])
            #expect(server.requestCount == 2)
        }
    }

    @Test(
        "A GET is repeated with the last ID after the server's delay, until a 204",
        arguments: Carrier.allCases
    )
    func reconnection(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let clock = ManualClock()
        let first = StubResponse(
            headerFields: [HTTPField(name: .contentType, value: "text/event-stream")],
            body: Data("retry: 250\nid: 7\ndata: a\n\n".utf8)
        )
        let second = StubResponse(
            headerFields: [HTTPField(name: .contentType, value: "text/event-stream")],
            body: Data("data: b\n\n".utf8)
        )
        let responses: Responder = .sequence([first, second, StubResponse(status: 204)])
        try await LoopbackServer.run(["GET chat": responses]) { server async throws in
            let client = Client(server.url, transport: transport, clock: clock)
            let endpoint: Endpoint<Events<String>> = client.endpoint { GET("chat") }
            async let read = Self.read(endpoint)
            for _ in 0..<2 {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .milliseconds(250))
            }
            let (events, error) = await read
            #expect(error == nil)
            #expect(events.map(\.data) == ["a", "b"])
            #expect(events.map(\.id) == ["7", "7"])
            #expect(server.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "7", "7"])
        }
    }

    @Test("A GET with Events.Reconnection.none ends with its response", arguments: Carrier.allCases)
    func noReconnection(_ carrier: Carrier) async throws {
        try await Self.withClient(Self.events("data: a\n\n"), over: carrier) { client, server in
            let endpoint: Endpoint<Events<String>> = client.endpoint {
                GET("chat")
                Events.Reconnection.none
            }
            #expect(await Self.read(endpoint).events.map(\.data) == ["a"])
            #expect(server.requestCount == 1)
        }
    }

    @Test(
        "An interrupted POST response throws a transport failure after its last event",
        arguments: Carrier.allCases
    )
    func brokenOff(_ carrier: Carrier) async throws {
        let response: Responder = .text(
            "data: a\n\ndata: b\n\n",
            headers: [HTTPField(name: .contentType, value: "text/event-stream")]
        )
        .truncated(afterBytes: 12)
        try await Self.withClient(response, over: carrier) { client, _ in
            let endpoint: Endpoint<Events<String>> = client.endpoint { POST("chat") }
            let (events, error) = await Self.read(endpoint)
            #expect(events.map(\.data) == ["a"])
            guard case .transport? = error else { return unexpected(error) }
        }
    }

    @Test("A declared problem is thrown before the first event or instead of a later one", arguments: Carrier.allCases)
    func problems(_ carrier: Carrier) async throws {
        let error = "{\"error\":{\"message\":\"too long\"}}"
        let responses: [Responder] = [
            .json(error, status: 400), .json(error), Self.events("data: {\"text\":\"a\"}\n\ndata: \(error)\n\n"),
        ]
        for (response, count) in zip(responses, [0, 0, 1]) {
            try await Self.withClient(response, over: carrier) { client, _ in
                let endpoint: Endpoint<Events<Chunk>> = client.endpoint {
                    POST("chat")
                    Problem(Failure.self, on: .success)
                    Problem(Failure.self)
                }
                let (events, error) = await Self.read(endpoint)
                #expect(events.count == count)
                guard case .status(let failure)? = error else { return unexpected(error) }
                #expect(failure.problem(as: Failure.self)?.error.message == "too long")
            }
        }
    }

    @Test("Data that does not decode is an error with the event's index and the position", arguments: Carrier.allCases)
    func malformed(_ carrier: Carrier) async throws {
        let response = Self.events("data: {\"text\":\"a\"}\n\ndata: {\"text\":\ndata: 7}\n\n")
        try await Self.withClient(response, over: carrier) { client, _ in
            let endpoint: Endpoint<Events<Chunk>> = client.endpoint { POST("chat") }
            let (events, error) = await Self.read(endpoint)
            #expect(events.count == 1)
            guard case .decoding(let failure)? = error else { return unexpected(error) }
            #expect(failure.path == "[1].text")
            #expect(failure.position?.line == 2)
            #expect(failure.position?.column == 1)
        }
    }

    @Test(
        "Only a response with the media type text/event-stream has events",
        arguments: Carrier.allCases,
        [
            ("text/event-stream", true), ("text/event-stream;charset=windows-1251", true),
            ("text/event-stream;", true), ("Text/Event-Stream; bogus", true), ("text/x-bogus", false),
        ]
    )
    func mediaType(_ carrier: Carrier, type: (name: String, hasEvents: Bool)) async throws {
        try await Self.withClient(Self.events("data: ok…\n\n", type.name), over: carrier) { client, _ in
            let endpoint: Endpoint<Events<String>> = client.endpoint { POST("chat") }
            let (events, error) = await Self.read(endpoint)
            #expect(events.map(\.data) == (type.hasEvents ? ["ok…"] : []))
            if type.hasEvents {
                #expect(error == nil)
            } else if case .decoding? = error {
            } else {
                unexpected(error)
            }
        }
    }

    @Test("Leaving the loop closes the connection", arguments: Carrier.allCases)
    func left(_ carrier: Carrier) async throws {
        let response: Responder = .text(
            "data: a\n\ndata: b\n\n",
            headers: [HTTPField(name: .contentType, value: "text/event-stream")]
        )
        .dripped(bytes: 9, every: .seconds(600))
        try await Self.withClient(response, over: carrier) { client, server in
            let endpoint: Endpoint<Events<String>> = client.endpoint { GET("chat") }
            for try await event in try await endpoint.stream() {
                #expect(event.data == "a")
                break
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }
}
