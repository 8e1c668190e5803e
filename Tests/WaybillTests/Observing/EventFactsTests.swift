import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Event contents")
struct EventFactsTests {
    @Test("Events of a redirected call have the URL of each request and no secrets")
    func redirect() async throws {
        let recorder = Recorder()
        let shop = Shop(responses: [
            "GET a/{}": .redirect(to: "/v1/b?session=s3cret"),
            "GET a/{}/b": .json("1"),
            "GET v1/b": .json("1").header("X-Session", "s3cret").header("Set-Cookie", "a=s3cret"),
        ]) {
            Observe(recorder)
            Secret("X-Session", "session")
            Header("X-Session", "s3cret")
            Authorization(.bearer("s3cret"))
        }
        _ = await failure { try await shop.client.get("a/\(7)", as: Int.self) }
        let sent = recorder.events.filter { if case .sent = $0.kind { true } else { false } }
        #expect(
            sent.map(\.url) == [
                "https://shop.example/v1/a/7", "https://shop.example/v1/b?session=‹redacted›",
            ]
        )
        #expect(sent.first?.headerFields[.authorization] == "Bearer ‹redacted›")
        #expect(sent.first?.headerFields["X-Session"] == "‹redacted›")
        #expect(Set(recorder.events.map(\.template)) == ["a/{}"])
        for event in recorder.events {
            var text = ""
            dump(event, to: &text)
            #expect(!"\(event) \(String(reflecting: event)) \(event.headerFields)\(text)".contains("s3cret"))
        }
    }

    @Test("Events have the attempt number and, if known, the body size")
    func attempts() async throws {
        let recorder = Recorder()
        let stub = StubTransport(["POST a": .sequence([.failure(TransportError(.connectionLost)), .json("1")])])
        let client = Client(Shop.url, transport: stub) {
            Observe(recorder)
            Retry(attempts: 2, backoff: .none, methods: [.post])
        }
        #expect(try await client.post("a", body: "text", as: Int.self) == 1)
        #expect(
            recorder.events.map { "\($0.attempt) \($0.kind)" } == [
                "1 began", "1 sent, 6 bytes",
                "1 again in 0 ms, because it got no response: the connection was lost", "2 sent, 6 bytes",
                "2 head, 200 OK", "2 body, 1 byte", "2 finished, 200 OK",
            ]
        )
    }

    @Test("A nested call's events have the enclosing call's number as their parent; other calls have no parent")
    func parent() async throws {
        let recorder = Recorder()
        let stub = StubTransport(["POST token": .json(#""t""#), "GET a": .json("1")])
        let inner = Client(Shop.url, transport: stub) { Observe(recorder) }
        let outer = Client(Shop.url, transport: stub) {
            Observe(recorder)
            Authorization(.bearer { try await inner.post("token", body: 1, as: String.self) })
        }
        #expect(try await outer.get("a", as: Int.self) == 1)
        #expect(try await outer.get("a", as: Int.self) { Authorization.none } == 1)
        let begun = recorder.events.filter { if case .began = $0.kind { true } else { false } }
        #expect(begun.count == 3)
        #expect(begun.map(\.parent) == [nil, begun[0].number, nil])
        #expect(Set(begun.map(\.number)).count == 3)
    }

    @Test("Middleware around each attempt runs inside middleware around the call and outside the credential")
    func eachAttempt() async throws {
        struct Mark: Middleware {
            let name: String
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                let marks = request.headerFields[.prefer].map { $0 + " " } ?? ""
                request.headerFields[.prefer] = marks + name + (request.headerFields[.authorization] ?? "")
                return try await next(request)
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            Authorization(.bearer("t"))
            Use(Mark(name: "attempt"), around: .eachAttempt)
            Use(Mark(name: "call"))
        }
        let endpoint: Endpoint<Void> = client.endpoint {
            DELETE("a")
            Use(Mark(name: "inner"), around: .eachAttempt)
        }
        try await endpoint.send()
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["call attempt inner"])
        #expect(try endpoint.explanation.contains("Use around each attempt: Mark"))
    }

    @Test(
        "Sizes in log lines have units",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 KB"), (1249, "1.2 KB"),
            (99_940, "99.9 KB"), (100_000, "100 KB"), (999_960, "1.0 MB"), (3_400_000_000, "3.4 GB"),
            (Int.max, "9223372 TB"),
        ]
    )
    func sizes(bytes: Int, text: String) { #expect(bytes.shownAsBytes == text) }
}
