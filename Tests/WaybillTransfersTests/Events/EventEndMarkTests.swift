import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("End events declared by name or member", .inTurn, .safetyNet)
struct EventEndMarkTests {
    enum Message: NamedEvent, Hashable {
        case delta(String)
        case messageStop

        enum CodingKeys: String, CodingKey {
            case delta
            case messageStop = "message_stop"
        }
    }

    enum Delta: NamedEvent, Hashable { case delta(String) }

    struct Token: Decodable, Sendable, Hashable {
        let text: String
        var count: Int?
    }

    struct Fault: Decodable, Sendable, Hashable { let error: String }

    /// A stream's text, and the events returned up to its end.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: Events<Never>.End
        let text: String
        let events: [String]
        /// The prefix of the error's reason, or `nil` if the end is reached.
        var reason: String?
    }

    static let rows = [
        Row(
            testDescription: "a name",
            end: Events.End(named: "stop"),
            text: "data: a\n\nevent: stop\ndata: {}\n\ndata: b\n\n",
            events: ["a", "{}"]
        ),
        Row(
            testDescription: "a second name",
            end: Events.End(named: "completed", "failed"),
            text: "event: failed\ndata: x\n\ndata: b\n\n",
            events: ["x"]
        ),
        Row(
            testDescription: "a name without data",
            end: Events.End(named: "stop"),
            text: "data: a\n\nevent: stop\n\ndata: b\n\n",
            events: ["a"]
        ),
        Row(
            testDescription: "the name as data",
            end: Events.End(named: "stop"),
            text: "data: stop\n\nevent: STOP\ndata: b\n\n",
            events: ["stop", "b"],
            reason: "the response ended before the event \"stop\", the end that Events.End declares"
        ),
        Row(
            testDescription: "a name before its blank line",
            end: Events.End(named: "stop", "failed"),
            text: "data: a\n\nevent: stop\ndata: {}\n",
            events: ["a"],
            reason: "the response ended within an event, before the event \"stop\" or \"failed\", the end that"
        ),
        Row(
            testDescription: "the name of events without one",
            end: Events.End(named: "message"),
            text: "event: a\ndata: a\n\ndata: b\n\ndata: c\n\n",
            events: ["a", "b"]
        ),
        Row(
            testDescription: "a member",
            end: Events.End(at: "done", is: true),
            text: "data: {\"done\":false}\n\ndata: {\"done\":true,\"n\":3}\n\ndata: {}\n\n",
            events: ["{\"done\":false}", "{\"done\":true,\"n\":3}"]
        ),
        Row(
            testDescription: "a second value of a member in an array",
            end: Events.End(at: "choices", 0, "reason", is: "stop", "length"),
            text: "data: {\"choices\":[]}\n\ndata: {\"choices\":[{\"reason\":\"length\"}]}\n\ndata: x\n\n",
            events: ["{\"choices\":[]}", "{\"choices\":[{\"reason\":\"length\"}]}"]
        ),
        Row(
            testDescription: "another value, no member, no object, no JSON",
            end: Events.End(at: "done", is: true),
            text: "data: {\"done\":\"true\"}\n\ndata: {}\n\ndata: true\n\ndata: done\n\n",
            events: ["{\"done\":\"true\"}", "{}", "true", "done"],
            reason: "the response ended before an event with done = true, the end that Events.End declares"
        ),
        Row(
            testDescription: "null, which is not an absent member",
            end: Events.End(at: "next", is: nil),
            text: "data: {}\n\ndata: {\"next\":null}\n\ndata: x\n\n",
            events: ["{}", "{\"next\":null}"]
        ),
    ]

    private static func client(_ text: String) -> Client {
        Client(Shop.url, transport: StubTransport(["POST it": .events(text)]))
    }

    private static func read<Value>(
        _ endpoint: Endpoint<Events<Value>>
    ) async -> (events: [Value], error: APIError?) where Value: Decodable & Sendable {
        var received: [Value] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event.data) }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    private static func reason(_ error: APIError?) -> String? {
        guard case .decoding(let failure)? = error else { return error.map { "\($0)" } }
        return "\(failure.underlying)"
    }

    @Test("A stream ends at the declared event, which is returned if it has data", arguments: rows)
    func table(_ row: Row) async throws {
        let endpoint: Endpoint<Events<String>> = Self.client(row.text).endpoint {
            POST("it")
            row.end
        }
        let (events, error) = await Self.read(endpoint)
        #expect(events == row.events)
        guard let reason = row.reason else {
            #expect(error == nil)
            #expect(try await endpoint.send().all.map(\.data) == row.events)
            return
        }
        #expect(Self.reason(error)?.hasPrefix(reason) == true, "\(String(describing: Self.reason(error)))")
        let whole = await #expect(throws: APIError.self) { try await endpoint.send() }
        #expect(Self.reason(whole)?.hasPrefix(reason) == true)
    }

    @Test("A named end event is returned if it is a case, and does not have to be one")
    func named() async throws {
        let text = "event: delta\ndata: a\n\nevent: message_stop\ndata: {}\n\nevent: other\ndata: {}\n\n"
        let whole: Endpoint<Events<Message>> = Self.client(text).endpoint {
            POST("it")
            Events.End(named: "message_stop")
        }
        #expect(await Self.read(whole).events == [.delta("a"), .messageStop])
        let deltas: Endpoint<Events<Delta>> = Self.client(text).endpoint {
            POST("it")
            Events.End(named: "message_stop")
        }
        let (events, error) = await Self.read(deltas)
        #expect(events == [.delta("a")])
        #expect(error == nil)
        #expect(try await deltas.send().all.map(\.data) == [.delta("a")])
    }

    @Test("An end event whose data does not decode is a decoding error, and a declared problem is thrown")
    func failing() async {
        let broken: Endpoint<Events<Token>> = Self.client("event: end\ndata: {}\n\n").endpoint {
            POST("it")
            Events.End(named: "end")
        }
        guard case .decoding? = await Self.read(broken).error else { return unexpected(nil) }
        let failed: Endpoint<Events<Token>> = Self.client("event: end\ndata: {\"error\":\"full\"}\n\n").endpoint {
            POST("it")
            Events.End(named: "end")
            Problem(Fault.self, on: .success)
        }
        #expect(await Self.read(failed).error?.problem() == Fault(error: "full"))
    }

    @Test("Over sockets, nothing is read after the end, even if the response stays open", arguments: Carrier.allCases)
    func socket(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let text = "event: delta\ndata: a\n\nevent: message_stop\ndata: {}\n\n"
        let lines = "{\"text\":\"a\"}\n{\"text\":\"\",\"count\":2,\"done\":true}\n"
        let responses: StubResponses = [
            "POST messages": .response(
                .events(text + ": ping\n").dripped(bytes: text.utf8.count, every: .seconds(600))
            ),
            "POST generate": .response(
                .text(lines + "\n", of: "application/x-ndjson").dripped(bytes: lines.utf8.count, every: .seconds(600))
            ),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport)
            let messages: Endpoint<Events<Message>> = client.endpoint {
                POST("messages")
                Events.End(named: "message_stop")
            }
            let (events, error) = await Self.read(messages)
            #expect(events == [.delta("a"), .messageStop])
            #expect(error == nil)
            let generate: Endpoint<[Token]> = client.endpoint {
                POST("generate")
                Decode.StreamFormat(.jsonLines, until: "done", is: true)
            }
            var tokens: [Token] = []
            for try await token in try await generate.stream() { tokens.append(token) }
            #expect(tokens == [Token(text: "a"), Token(text: "", count: 2)])
        }
    }

    @Test("Over sockets, a response cut before its named end is an error", arguments: Carrier.allCases)
    func cut(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let response: Responder = .events("event: delta\ndata: a\n\nevent: message_stop\n").closing(announced: false)
        try await LoopbackServer.run(["POST it": response]) { server async throws in
            let endpoint: Endpoint<Events<Message>> = Client(server.url, transport: transport).endpoint {
                POST("it")
                Events.End(named: "message_stop")
            }
            let (events, error) = await Self.read(endpoint)
            #expect(events == [.delta("a")])
            #expect(Self.reason(error)?.contains("within an event, before the event \"message_stop\"") == true)
        }
    }

    @Test(
        "A name that no event can have is a declaration error",
        arguments: [("", "\"\""), ("a\nb", "\"a\\nb\"")]
    )
    func names(_ name: String, _ shown: String) async {
        let endpoint: Endpoint<Events<String>> = Self.client("").endpoint {
            POST("it")
            Events.End(named: name)
        }
        guard case .request(let failure)? = await Self.read(endpoint).error else { return unexpected(nil) }
        #expect(
            failure.declarationErrors.map(\.description) == [
                "Events.End(named: \(shown)): an event's name is not empty and has no line break; an event without"
                    + " a name is called \"message\""
            ]
        )
    }

    @Test(
        "The summary describes the declared end",
        arguments: [
            (Events.End("[DONE]"), "[DONE]"), (Events.End(named: "a", "b"), "named a or b"),
            (Events.End(at: "a", "done", is: true, "yes"), "a.done = true or \"yes\""),
        ]
    )
    func summary(_ end: Events<Never>.End, _ summary: String) {
        #expect(end.summary == summary)
    }
}
