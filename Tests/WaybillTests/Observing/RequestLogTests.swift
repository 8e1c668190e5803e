import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Request log")
struct RequestLogTests {
    struct Logged: CustomTestStringConvertible {
        let testDescription: String
        var template = "products/{}"
        var method = HTTPRequest.Method.get
        var attempt = 1
        var parent: Int?
        var isReused = false
        let kinds: [CallEvent.Kind]
        let lines: [String]
        var detail = RequestLog.Detail.calls

        var events: [CallEvent] {
            var metrics = TransferOptions.Report.Metrics()
            metrics.isConnectionReused = isReused
            return ([.began] + kinds).enumerated().map { index, kind in
                CallEvent(
                    number: 3,
                    parent: parent,
                    method: method,
                    template: template,
                    url: "https://shop.example/products/7",
                    attempt: attempt,
                    time: .milliseconds(index * 17),
                    kind: kind,
                    headerFields: HTTPFields([HTTPField(name: .vary, value: "x\u{85}y")]),
                    metrics: metrics
                )
            }
        }
    }

    private static let call = APIError.FailedCall(method: .get, template: "products/{}", url: "https://shop.example")
    private static let lost = APIError.transport(
        APIError.TransportFailure(call: call, error: TransportError(.connectionLost))
    )
    private static let undecodable = APIError.decoding(
        APIError.DecodingFailure(
            call: call,
            status: 200,
            typeName: "Product",
            underlying: Full(),
            body: Data("x".utf8)
        )
    )
    private struct Full: Error, CustomStringConvertible { let description = "the disk is full\nand slow" }
    private static func status(_ code: Int, _ phrase: String = "") -> APIError {
        .status(APIError.StatusFailure(call: call, status: HTTPResponse.Status(code: code, reasonPhrase: phrase)))
    }

    static let rows = [
        Logged(
            testDescription: "a call that ends well is one line, when it is over",
            kinds: [.sent(bodyBytes: 0), .head(200), .body(bytes: 1234), .finished(200)],
            lines: ["✓ 3 GET products/{} 200 OK in 68 ms, 1.2 KB"]
        ),
        Logged(
            testDescription: "its attempt, its connection, and the call that it is for",
            method: .post,
            attempt: 2,
            parent: 1,
            isReused: true,
            kinds: [.sent(bodyBytes: 5), .head(201), .body(bytes: 1), .finished(201)],
            lines: ["✓ 3 POST products/{} 201 Created in 68 ms, 1 byte, attempt 2, reused, for 1"]
        ),
        Logged(
            testDescription: "an empty path",
            template: "",
            kinds: [.finished(204)],
            lines: ["✓ 3 GET / 204 No Content in 17 ms"]
        ),
        Logged(
            testDescription: "from a cache",
            isReused: true,
            kinds: [.cached(.fresh), .finished(200)],
            lines: ["✓ 3 GET products/{} 200 OK in 34 ms, from the cache"]
        ),
        Logged(
            testDescription: "from a cache that the server has confirmed",
            isReused: true,
            kinds: [.sent(bodyBytes: 0), .head(304), .cached(.revalidated), .finished(200)],
            lines: ["✓ 3 GET products/{} 200 OK in 68 ms, revalidated, reused"]
        ),
        Logged(
            testDescription: "a status that is not a success",
            kinds: [.sent(bodyBytes: 0), .head(404), .body(bytes: 31), .failed(status(404))],
            lines: ["✗ 3 GET products/{} 404 Not Found in 68 ms, 31 bytes"]
        ),
        Logged(
            testDescription: "an error in a success",
            kinds: [.body(bytes: 31), .failed(status(200))],
            lines: ["✗ 3 GET products/{} 200 OK in 34 ms, 31 bytes: its body reports a failure"]
        ),
        Logged(
            testDescription: "a failure has the first line of its error",
            attempt: 3,
            kinds: [.sent(bodyBytes: 0), .failed(lost)],
            lines: ["✗ 3 GET products/{} in 34 ms, attempt 3: got no response: the connection was lost"]
        ),
        Logged(
            testDescription: "a body that does not decode has the place and the reason",
            kinds: [.sent(bodyBytes: 0), .failed(undecodable)],
            lines: [
                "✗ 3 GET products/{} in 34 ms: returned 200 OK, but its body does not decode as Product: the disk is full"
            ]
        ),
        Logged(
            testDescription: "a server cannot forge a line by its reason phrase",
            kinds: [.failed(status(599, "No\r\n✓ 4 GET\u{2028}a"))],
            lines: ["✗ 3 GET products/{} 599 No  ✓ 4 GET a in 17 ms"]
        ),
        Logged(
            testDescription: "what happens on the way",
            isReused: true,
            kinds: [
                .queued, .sent(bodyBytes: 1500), .head(503), .body(bytes: 9),
                .retried(after: .seconds(2), because: status(503)),
                .refreshed, .sent(bodyBytes: nil), .head(200), .body(bytes: 2), .cached(.shared), .finished(200),
            ],
            lines: [
                "· 3 waits for its turn",
                "→ 3 GET products/{} https://shop.example/products/7, 1.5 KB",
                "← 3 503 Service Unavailable after 51 ms, reused",
                "· 3 again in 2 s, because it failed: 503 Service Unavailable",
                "· 3 credential refreshed",
                "→ 3 GET products/{} https://shop.example/products/7, a stream",
                "← 3 200 OK after 136 ms, reused",
                "· 3 shared with another call",
                "✓ 3 GET products/{} 200 OK in 187 ms, 2 bytes, shared with another call, reused",
            ],
            detail: .attempts
        ),
        Logged(
            testDescription: "header fields",
            kinds: [.sent(bodyBytes: 0), .head(200), .body(bytes: 2), .finished(200)],
            lines: [
                "→ 3 GET products/{} https://shop.example/products/7\n    Vary: x y",
                "← 3 200 OK after 34 ms\n    Vary: x y",
                "✓ 3 GET products/{} 200 OK in 68 ms, 2 bytes",
            ],
            detail: .headers
        ),
    ]

    @Test("The log writes the expected lines for a call's events", arguments: rows)
    func lines(_ row: Logged) {
        let lines = Lines()
        let log = RequestLog(row.detail) { lines.add($0) }
        for event in row.events { log.observe(event) }
        #expect(lines.all == row.lines)
    }

    @Test("A log keeps concurrent calls separate and removes finished ones")
    func severalCalls() {
        let lines = Lines()
        let log = RequestLog { lines.add($0) }
        for number in [1, 2] { log.observe(CallEvent(number: number, kind: .began)) }
        for number in [1, 2] { log.observe(CallEvent(number: number, kind: .body(bytes: number * 10))) }
        for number in [2, 1] { log.observe(CallEvent(number: number, kind: .finished(200))) }
        log.observe(CallEvent(number: 1, kind: .finished(200)))
        #expect(
            lines.all == [
                "✓ 2 GET / 200 OK in 0 ms, 20 bytes", "✓ 1 GET / 200 OK in 0 ms, 10 bytes", "✓ 1 GET / 200 OK in 0 ms",
            ]
        )
    }

    @Test("A log declared for a call logs that call only")
    func quiet() async throws {
        let lines = Lines()
        let stub = StubTransport(["GET a": .json("1"), "GET b": .json("2")])
        let client = Client(Shop.url, transport: stub, clock: ManualClock())
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(lines.all.isEmpty)
        #expect(try await client.get("b", as: Int.self) { Observe(RequestLog { lines.add($0) }) } == 2)
        #expect(lines.all.map { $0.replacing(/\d+ GET/, with: "n GET") } == ["✓ n GET b 200 OK in 0 ms, 1 byte"])
    }
}
