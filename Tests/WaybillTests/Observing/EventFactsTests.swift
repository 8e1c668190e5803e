import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("What events say")
struct EventFactsTests {
    @Test("A redirect's requests have their own URLs, and no event shows a secret")
    func redirect() async throws {
        let recorder = Recorder()
        let shop = Shop(answering: [
            "GET a/{}": .redirect(to: "/v1/b?session=s3cret"),
            "GET a/{}/b": .json("1"),
            "GET v1/b": .json("1").header("X-Session", "s3cret").header("Set-Cookie", "a=s3cret"),
        ]) {
            Observe(recorder)
            Secret("X-Session", "session")
            Header("X-Session", "s3cret")
            Authorization(.bearer("s3cret"))
        }
        _ = await failure { () async throws(APIError) in try await shop.client.get("a/\(7)", as: Int.self) }
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

    @Test("An attempt is numbered, and a body's size is told where it is known")
    func attempts() async throws {
        struct Again: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                do throws(APIError) {
                    return try await next(request)
                } catch {
                    call.report(.retried(after: .milliseconds(200), because: error))
                    var request = request
                    request.attempt += 1
                    return try await next(request)
                }
            }
        }
        let recorder = Recorder()
        let stub = StubTransport(["POST a": .sequence([.failure(TransportError(.connectionLost)), .json("1")])])
        let client = Client(Shop.url, transport: stub) {
            Observe(recorder)
            Use(Again())
        }
        #expect(try await client.post("a", body: "text", as: Int.self) == 1)
        #expect(
            recorder.events.map { "\($0.attempt) \($0.kind)" } == [
                "1 began", "1 sent, 6 bytes",
                "1 again in 200 ms, because it got no response: the connection was lost", "2 sent, 6 bytes",
                "2 head, 200 OK", "2 body, 1 byte", "2 finished, 200 OK",
            ]
        )
    }

    @Test("A call that is made for another one knows which; one that is made by nobody's does not")
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

    @Test("A middleware around each attempt stands between those around the call and the credential")
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
            Use(Mark(name: "nearer"), around: .eachAttempt)
        }
        try await endpoint.send()
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["call attempt nearer"])
        #expect(try endpoint.explanation.contains("Use around each attempt: Mark"))
    }

    @Test(
        "Durations, as lines have them",
        arguments: [
            (Duration.zero, "0 ms"), (.microseconds(99), "0 ms"), (.microseconds(420), "0.4 ms"),
            (.milliseconds(34), "34 ms"),
            (.milliseconds(999), "999 ms"), (.milliseconds(1250), "1.2 s"), (.seconds(12), "12.0 s"),
            (.seconds(100), "100 s"),
        ]
    )
    func durations(duration: Duration, text: String) { #expect(duration.shown == text) }

    @Test(
        "Sizes, as lines have them",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 KB"), (1249, "1.2 KB"),
            (99_940, "99.9 KB"), (100_000, "100 KB"), (999_960, "1.0 MB"), (3_400_000_000, "3.4 GB"),
            (Int.max, "9223372 TB"),
        ]
    )
    func sizes(bytes: Int, text: String) { #expect(bytes.shownAsBytes == text) }
}
