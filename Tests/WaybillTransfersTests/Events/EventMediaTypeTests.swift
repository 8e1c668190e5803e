import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Media types of event streams")
struct EventMediaTypeTests {
    struct Fault: Decodable, Sendable, Hashable { let error: String }

    private static let text = "\u{FEFF}\n: hello\ndata: a\n\ndata: b\n\n"

    /// A response with a media type, and the expected reason for its rejection.
    struct Row: Sendable, CustomTestStringConvertible {
        var type: String?
        var text = EventMediaTypeTests.text
        var declared: [String] = []
        var reason: String?

        var testDescription: String { "\(type ?? "none") with \(declared): \(text.prefix(12))" }
    }

    static let rows = [
        Row(type: "text/plain", declared: ["text/plain"]),
        Row(type: "TEXT/Plain; charset=utf-8", declared: ["application/x", "text/plain;q=1"]),
        Row(type: "text/event-stream", declared: ["text/plain"]),
        Row(type: nil, declared: ["application/octet-stream"]),
        Row(
            type: "text/plain",
            reason: "the body is text/plain; events are text/event-stream; if it contains events, declare"
                + " Events.MediaTypes(\"text/plain\")"
        ),
        Row(
            type: nil,
            declared: ["text/plain"],
            reason: "the body has no media type; events are text/event-stream; if it contains events, declare"
                + " Events.MediaTypes(\"application/octet-stream\")"
        ),
        Row(
            type: "application/json",
            declared: ["text/plain"],
            reason: "the body is application/json; events are text/event-stream"
        ),
        Row(
            type: "text/plain",
            text: "Internal error",
            declared: ["text/plain"],
            reason: "the body is text/plain, and does not begin like server-sent events"
        ),
        Row(
            type: "text/plain",
            text: "dates: 1\n\n",
            declared: ["text/plain"],
            reason: "the body is text/plain, and does not begin like server-sent events"
        ),
        Row(
            type: nil,
            text: "<html>\n",
            declared: ["application/octet-stream"],
            reason: "the body has no media type, and does not begin like server-sent events"
        ),
    ]

    private static func endpoint(
        _ response: StubResponse,
        _ types: [String],
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<Events<String>> {
        let client = Client(Shop.url, transport: StubTransport { _ in response })
        let endpoint: Endpoint<Events<String>> = client.endpoint { POST("it") }
        return endpoint.with(clauses).with { for type in types.prefix(1) { declaration(type, types.dropFirst()) } }
    }

    private static func declaration(_ type: String, _ others: ArraySlice<String>) -> Events<Never>.MediaTypes {
        others.first.map { Events.MediaTypes(type, $0) } ?? Events.MediaTypes(type)
    }

    private static func response(_ row: Row, size: Int) -> StubResponse {
        var response = StubResponse.text(row.text)
        response.headerFields[.contentType] = row.type
        return response.chunked(bytes: size)
    }

    @Test("Events are read from a declared media type and rejected with any other", arguments: rows, [1, 4096])
    func table(_ row: Row, _ size: Int) async throws {
        let endpoint = Self.endpoint(Self.response(row, size: size), row.declared)
        guard let reason = row.reason else {
            #expect(try await endpoint.send().all.map(\.data) == ["a", "b"])
            var received: [String] = []
            for try await event in try await endpoint.stream() { received.append(event.data) }
            #expect(received == ["a", "b"])
            return
        }
        for error in [await failure { try await endpoint.send() }, await failure { try await endpoint.stream() }] {
            guard case .decoding(let failure)? = error else { return unexpected(error) }
            #expect("\(failure.underlying)" == reason)
        }
    }

    @Test("A body other than events throws at once, and is returned as a problem if one is declared")
    func problem() async {
        let clock = ManualClock()
        let response = StubResponse.text("{\"error\":\"no\"}\n ").dripped(bytes: 15, every: .seconds(600))
        let client = Client(Shop.url, transport: StubTransport(["POST it": .response(response)], clock: clock))
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            POST("it")
            Events.MediaTypes("text/plain")
        }
        guard case .decoding? = await failure({ try await endpoint.stream() }) else { return unexpected(nil) }
        let error = await failure { try await endpoint.with { Problem(Fault.self, on: .success) }.stream() }
        #expect(error?.problem() == Fault(error: "no"))
        #expect(clock.now.offset == .zero)
    }

    private static let endless = String(repeating: "\r\n", count: 2000)

    @Test("A body without any event lines has no events", arguments: ["", "\n", "dat", endless])
    func empty(_ text: String) async throws {
        let endpoint = Self.endpoint(.text(text), ["text/plain"])
        #expect(try await endpoint.send().all.isEmpty)
        for try await event in try await endpoint.stream() { Issue.record("\(event)") }
        let ended = endpoint.with { Events.End("[DONE]") }
        guard case .decoding? = await failure({ try await ended.send() }) else { return unexpected(nil) }
    }

    @Test("An invalid media type is a declaration error", arguments: ["", "text", "text/*", "*/*", "a/b/c"])
    func invalid(_ type: String) async {
        let error = await failure { try await Self.endpoint(.text(""), [type]).stream() }
        guard case .request(let failure)? = error else { return unexpected(error) }
        #expect(
            failure.declarationErrors.map(\.description) == [
                "Events.MediaTypes(\"\(type)\"): a media type is a type and a subtype, such as text/plain"
            ]
        )
    }
}
