import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Declared ends of event streams", .inTurn, .safetyNet)
struct EventStreamEndTests {
    /// A response without its declared end.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var events = ["Hel", "lo"]
        var reason = "the response ended before the event \"[DONE]\", the end that Events.End declares"

        var testDescription: String { name }
    }

    private static let within = "the response ended within an event, before the event \"[DONE]\""

    static let rows = [
        Row(name: "after an event", text: "data: Hel\n\ndata: lo\n\n"),
        Row(name: "after a comment", text: "data: Hel\n\ndata: lo\n\n: pi"),
        Row(name: "within a line", text: "data: Hel\n\ndata: lo\n\ndata: [DO", reason: within),
        Row(name: "within an event", text: "data: Hel\n\ndata: lo\n\nevent: end\n", reason: within),
        Row(name: "before the blank line of the end", text: "data: Hel\n\ndata: lo\n\ndata: [DONE]\n", reason: within),
        Row(name: "before the first event", text: "", events: []),
        Row(name: "with an end that is longer", text: "data: [DONE] \n\n", events: ["[DONE] "]),
    ]

    private static func endpoint(
        _ client: Client,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<Events<String>> {
        client.endpoint {
            POST("chat")
            Events.End("[DONE]")
        }
        .with(clauses)
    }

    private static func read(_ endpoint: Endpoint<Events<String>>) async -> (events: [String], error: APIError?) {
        var received: [String] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event.data) }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    private static func reason(_ error: APIError?) -> String {
        guard case .decoding(let failure)? = error else { return String(describing: error) }
        return "\(failure.underlying)"
    }

    @Test(
        "A POST response that ends before the declared end throws after its events",
        arguments: Carrier.allCases,
        rows
    )
    func streamed(_ carrier: Carrier, row: Row) async throws {
        let response: Responder = .events(row.text)
        for response in [response, response.chunked(bytes: 3), response.closing(announced: false)] {
            let transport = try carrier.transport()
            try await LoopbackServer.run(["POST chat": response]) { server async throws in
                let recorder = Recorder()
                let client = Client(server.url, transport: transport) { Observe(recorder) }
                let (events, error) = await Self.read(Self.endpoint(client))
                #expect(events == row.events)
                #expect(Self.reason(error).hasPrefix(row.reason))
                #expect(recorder.kinds.last?.hasPrefix("failed") == true)
                // A separate connection: the server may be closing the first one, and a POST is not repeated.
                let other = Client(server.url, transport: try carrier.transport())
                let whole = await #expect(throws: APIError.self) { try await Self.endpoint(other).send() }
                #expect(Self.reason(whole).hasPrefix(row.reason))
            }
        }
    }

    @Test("A stream that reaches its declared end has no error, whatever follows")
    func reached() async throws {
        for rest in ["", "data: x\n\n", "data: x"] {
            let stub = StubTransport(["POST chat": .events("data: a\n\ndata: [DONE]\n\n" + rest)])
            let endpoint = Self.endpoint(Client(Shop.url, transport: stub))
            let (events, error) = await Self.read(endpoint)
            #expect(events == ["a"])
            #expect(error == nil)
            #expect(try await endpoint.send().all.map(\.data) == ["a"])
        }
    }

    @Test("A reconnecting stream has no error if a later connection reaches the declared end")
    func reconnected() async {
        let clock = ManualClock()
        let responses: [StubResponse] = [.events("data: a\n\n"), .events("data: b\n\ndata: [DONE]\n\n")]
        let stub = StubTransport(["POST chat": .sequence(responses)], clock: clock)
        let endpoint = Self.endpoint(Client(Shop.url, transport: stub, clock: clock)) { Events.Reconnection() }
        async let read = Self.read(endpoint)
        await clock.advanceToNextDeadline()
        let (events, error) = await read
        #expect(events == ["a", "b"])
        #expect(error == nil)
    }

    @Test("A 204 before the declared end is an error, both at first and after a reconnection")
    func noContent() async {
        for first in [[], [StubResponse.events("data: a\n\n")]] {
            let clock = ManualClock()
            let stub = StubTransport(["POST chat": .sequence(first + [.status(204)])], clock: clock)
            let endpoint = Self.endpoint(Client(Shop.url, transport: stub, clock: clock)) { Events.Reconnection() }
            async let read = Self.read(endpoint)
            for _ in first { await clock.advanceToNextDeadline() }
            let (events, error) = await read
            #expect(events.count == first.count)
            #expect(Self.reason(error).hasPrefix("the response ended before the event \"[DONE]\""))
        }
    }

    @Test("A GET that does not reconnect is an error without its declared end, and no error without a declaration")
    func get() async {
        let stub = StubTransport(["GET chat": .events("data: a\n\n")])
        let client = Client(Shop.url, transport: stub)
        let plain: Endpoint<Events<String>> = client.endpoint {
            GET("chat")
            Events.Reconnection.none
        }
        let (events, error) = await Self.read(plain)
        #expect(events == ["a"])
        #expect(error == nil)
        #expect(await Self.reason(Self.read(plain.with { Events.End("[DONE]") }).error).contains("Events.End"))
    }

    @Test("Events.End.none disables the declared end of an outer scope")
    func noEnd() async {
        let stub = StubTransport(["GET chat": .events("data: a\n\ndata: [DONE]\n\ndata: b\n\n")])
        let client = Client(Shop.url, transport: stub) {
            Events.End("[DONE]")
            Events.Reconnection.none
        }
        let outer: Endpoint<Events<String>> = client.endpoint { GET("chat") }
        #expect(await Self.read(outer).events == ["a"])
        let (events, error) = await Self.read(outer.with { Events.End.none })
        #expect(events == ["a", "[DONE]", "b"])
        #expect(error == nil)
    }

    @Test("Events.Reconnection.none disables the reconnection of an outer scope")
    func noReconnection() async {
        let stub = StubTransport(["POST chat": .events("data: a\n\n")])
        let client = Client(Shop.url, transport: stub) { Events.Reconnection() }
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            POST("chat")
            Events.Reconnection.none
        }
        let (events, error) = await Self.read(endpoint)
        #expect(events == ["a"])
        #expect(error == nil)
        #expect(stub.requests.count == 1)
    }
}
