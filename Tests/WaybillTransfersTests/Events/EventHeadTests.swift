import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Responses without events", .inTurn, .safetyNet)
struct EventHeadTests {
    struct Failure: Codable, Sendable, Hashable { let error: String }

    private static func endpoint(
        _ response: StubResponse,
        _ clock: ManualClock = ManualClock(),
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<Events<String>> {
        let stub = StubTransport(["POST chat": .response(response)], clock: clock)
        return Client(Shop.url, transport: stub, clock: clock).endpoint { POST("chat") }.with(clauses)
    }

    private static func error(_ endpoint: Endpoint<Events<String>>) async -> APIError? {
        await #expect(throws: APIError.self) { try await endpoint.stream() }
    }

    static let heads: [(response: StubResponse, reason: String)] = [
        (
            .text("data: a\n\n"),
            "the body is text/plain; events are text/event-stream; if it contains events, declare"
                + " Events.MediaTypes(\"text/plain\")"
        ),
        (
            StubResponse(body: Data("data: a\n\n".utf8)),
            "the body has no media type; events are text/event-stream; if it contains events, declare"
                + " Events.MediaTypes(\"application/octet-stream\")"
        ),
        (.json("[1"), "the body is application/json; events are text/event-stream"),
        (
            .events("data: a\n\n").modified { $0.status = 201 },
            "a response with events has the status 200; for one value, call send()"
        ),
    ]

    @Test("A response without events throws as soon as its head arrives, even if its body never does", arguments: heads)
    func head(_ row: (response: StubResponse, reason: String)) async {
        let error = await Self.error(Self.endpoint(row.response.bodyNever()))
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect("\(failure.underlying)" == row.reason)
    }

    @Test(
        "A declared problem instead of events is read up to its end, even if the body stays open",
        arguments: ["application/json", "text/plain", "application/x-ndjson"]
    )
    func problem(_ contentType: String) async {
        let clock = ManualClock()
        let text = #"{"error":"no"}"#
        let response = StubResponse.text(text + "\n ", of: contentType).dripped(bytes: 15, every: .seconds(600))
        let error = await Self.error(Self.endpoint(response, clock) { Problem(Failure.self, on: .success) })
        #expect(error?.problem() == Failure(error: "no"))
        #expect(clock.now.offset == .zero)
    }

    @Test("A body that cannot be the declared problem is not read further")
    func otherBody() async {
        let response = StubResponse.text("data: a\n\ndata: b\n\n").dripped(bytes: 9, every: .seconds(600))
        let error = await Self.error(Self.endpoint(response) { Problem(Failure.self, on: .success) })
        guard case .decoding? = error else { return unexpected(error) }
    }

    @Test("A failed JSON response throws when its document ends, even if the body stays open")
    func failedWithJSON() async {
        let clock = ManualClock()
        let response = StubResponse.json(#"{"error":"no"}"# + "\n ", status: 500)
            .chunked(bytes: 15)
            .dripped(bytes: 15, every: .seconds(600))
        let error = await Self.error(Self.endpoint(response, clock) { Problem(Failure.self) })
        #expect(error?.problem() == Failure(error: "no"))
        #expect(clock.now.offset == .zero)
    }

    @Test("A failed response with another body throws after a second, even if the body stays open")
    func failedWithText() async {
        let clock = ManualClock()
        let response = StubResponse.text("abcdef", status: 500)
            .chunked(bytes: 3)
            .dripped(bytes: 3, every: .seconds(600))
        async let error = Self.error(Self.endpoint(response, clock))
        await waitUntil { clock.deadlines.map(\.offset).contains(.seconds(1)) }
        clock.advance(by: .seconds(1))
        guard case .status(let failure)? = await error else { return unexpected(await error) }
        #expect(failure.body == Data("abc".utf8))
        #expect(failure.isBodyTruncated)
    }

    @Test("A failed response with a complete body is read to its end")
    func failedAndComplete() async {
        let response = StubResponse.text("abcdef", status: 500).chunked(bytes: 3)
        guard case .status(let failure)? = await Self.error(Self.endpoint(response)) else { return unexpected(nil) }
        #expect(failure.body == Data("abcdef".utf8))
        #expect(!failure.isBodyTruncated)
    }

    @Test("A failed response to a streamed list throws after a second, even if the body stays open")
    func list() async {
        let clock = ManualClock()
        let response = StubResponse.text("abcdef", status: 500)
            .chunked(bytes: 3)
            .dripped(bytes: 3, every: .seconds(600))
        let stub = StubTransport(["GET it": .response(response)], clock: clock)
        let endpoint: Endpoint<[Int]> = Client(Shop.url, transport: stub, clock: clock).endpoint { GET("it") }
        async let error = #expect(throws: APIError.self) { try await endpoint.stream() }
        await waitUntil { clock.deadlines.map(\.offset).contains(.seconds(1)) }
        clock.advance(by: .seconds(1))
        #expect(await error?.status == 500)
    }
}
