import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Event order", .inTurn, .safetyNet)
struct EventOrderTests {
    struct Course: CustomTestStringConvertible {
        let testDescription: String
        let path: String
        let events: [String]
    }

    private static let responses: StubResponses = [
        "GET one": .json("1"),
        "GET gone": .status(410),
        "GET lost": .response(.failure(TransportError(.connectionLost))),
        "GET cut": .json("[1, 2]").truncated(afterBytes: 2),
        "GET text": .json(#""one""#),
        "GET moved": .redirect(to: "one"),
        "GET loop": .redirect(to: "loop"),
        "GET rejected": .json(#"{"error":"x"}"#),
    ]

    @Test(
        "A call emits each event once and in order, and the last event has the outcome",
        arguments: [
            Course(
                testDescription: "a success",
                path: "one",
                events: ["began", "sent", "head, 200 OK", "body, 1 byte", "finished, 200 OK"]
            ),
            Course(
                testDescription: "a failed status",
                path: "gone",
                events: ["began", "sent", "head, 410 Gone", "body, 0 bytes", "failed, 410 Gone"]
            ),
            Course(
                testDescription: "no response",
                path: "lost",
                events: ["began", "sent", "failed: got no response: the connection was lost"]
            ),
            Course(
                testDescription: "a body that breaks off",
                path: "cut",
                events: [
                    "began", "sent", "head, 200 OK",
                    "failed: got no response: the connection was lost: the stub cut the response",
                ]
            ),
            Course(
                testDescription: "a body of another type",
                path: "text",
                events: [
                    "began", "sent", "head, 200 OK", "body, 5 bytes",
                    "failed: returned 200 OK, but its body does not decode as Int: line 1, column 1: expected an integer"
                        + " (Int), found the string \"one\"",
                ]
            ),
            Course(
                testDescription: "a redirect",
                path: "moved",
                events: [
                    "began", "sent", "head, 302 Found", "sent", "head, 200 OK", "body, 1 byte", "finished, 200 OK",
                ]
            ),
            Course(
                testDescription: "a redirect that is not followed",
                path: "loop",
                events: [
                    "began", "sent", "head, 302 Found",
                    "failed: got no response: the redirects form a loop: back to https://shop.example/v1/loop",
                ]
            ),
            Course(
                testDescription: "a success with an error in it",
                path: "rejected",
                events: ["began", "sent", "head, 200 OK", "body, 13 bytes", "failed, 200 OK"]
            ),
        ]
    )
    func order(_ course: Course) async {
        struct Rejection: Decodable, Sendable { let error: String }
        let recorder = Recorder()
        let shop = Shop(responses: Self.responses) {
            Observe(recorder)
            Problem(Rejection.self, on: .success)
        }
        _ = await failure {
            try await shop.client.get(Route.Path(segments: [course.path]), as: Int.self)
        }
        #expect(recorder.kinds == course.events)
        #expect(Set(recorder.events.map(\.number)).count == 1)
    }

    @Test("A page that fails to decode or has an unreadable next link emits a failed event")
    func pages() async {
        let recorder = Recorder()
        let shop = Shop(responses: [
            "GET a": .json(#"{"items":["x"]}"#), "GET b": .json(#"{"items":[1],"next":{"a":1}}"#),
        ]) { Observe(recorder) }
        for path in ["a", "b"] {
            let list: Endpoint<[Int]> = shop.endpoint {
                GET(Route.Path(segments: [path]))
                Envelope("items")
                Paginated(.cursor(at: "next", as: "after"))
            }
            let error = await failure { try await list.page() }
            #expect(error != nil)
        }
        let ends = recorder.events.filter { event in
            switch event.kind {
            case .finished, .failed: true
            default: false
            }
        }
        #expect(ends.count == 2)
        #expect(ends.allSatisfy { if case .failed = $0.kind { true } else { false } })
    }

    @Test("A declaration error emits no events")
    func declarationError() async {
        let recorder = Recorder()
        let shop = Shop { Observe(recorder) }
        let endpoint: Endpoint<Int> = shop.endpoint {
            GET("a")
            Header("X", "a\nb")
        }
        #expect(await failure { try await endpoint.send() } != nil)
        #expect(recorder.kinds.isEmpty)
    }

    @Test("A body that a middleware reads emits a single event")
    func bodyOnce() async throws {
        struct Look: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var response = try await next(request)
                _ = try await call.bytes(of: &response)
                return response
            }
        }
        let recorder = Recorder()
        let shop = Shop(responses: ["GET one": .json("1")]) {
            Observe(recorder)
            Use(Look())
        }
        #expect(try await shop.client.get("one", as: Int.self) == 1)
        #expect(recorder.kinds.count { $0.hasPrefix("body") } == 1)
    }

    @Test("A task that outlives its call emits no events for the call")
    func afterwards() async throws {
        final class Keeper: Middleware, @unchecked Sendable {  // the call is kept before it is read, by one task
            var call: Call?
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                self.call = call
                return try await next(request)
            }
        }
        let keeper = Keeper()
        let recorder = Recorder()
        let shop = Shop(responses: ["GET one": .json("1")]) {
            Observe(recorder)
            Use(keeper)
        }
        #expect(try await shop.client.get("one", as: Int.self) == 1)
        let call = try #require(keeper.call)
        call.report(.refreshed)
        await call.reportEnd(.failed(call.failure(CancellationError())))
        #expect(recorder.kinds.last == "finished, 200 OK")
        #expect(recorder.kinds.count == 5)
    }

    @Test("A call cancelled before it starts or in flight ends with a cancellation event")
    func cancellation() async {
        let gate = Gate()
        let recorder = Recorder()
        let stub = StubTransport(["GET one": .json("1").held(by: gate)])
        let client = Client(Shop.url, transport: stub) { Observe(recorder) }
        let early = Task {
            await gate.waitUntilOpen()
            _ = try await client.get("one", as: Int.self)
        }
        early.cancel()
        _ = await early.result
        #expect(recorder.kinds == ["began", "failed: was cancelled"])
        let late = Task { try await client.get("one", as: Int.self) }
        await stub.waitForRequests(count: 1)
        late.cancel()
        _ = await late.result
        #expect(recorder.kinds.dropFirst(2) == ["began", "sent", "failed: was cancelled"])
    }

    @Test("A call that times out ends with an event timed by the client's clock")
    func timeout() async {
        let clock = ManualClock()
        let gate = Gate()
        let recorder = Recorder()
        let stub = StubTransport(["GET one": .json("1").held(by: gate)])
        let client = Client(Shop.url, transport: stub, clock: clock) {
            Observe(recorder)
            Timeout(.seconds(5))
        }
        let task = Task { try await client.get("one", as: Int.self) }
        await stub.waitForRequests(count: 1)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        _ = await task.result
        #expect(recorder.kinds.count == 3)
        #expect(recorder.kinds.last?.contains("5") == true)
        #expect(recorder.events.map(\.time) == [.zero, .zero, .seconds(5)])
    }

    @Test("Observers receive events in sequence, outermost first; without observers nothing is measured")
    func observers() async throws {
        struct Told: CallObserver {
            let name: String
            let lines: Lines
            func observe(_ event: CallEvent) { lines.add("\(name) \(event.kind)") }
        }
        struct Measured: Transport {
            let lines: Lines
            func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
                lines.add("\(options.report?.isMeasured == true)")
                return HTTPResponse(status: 204)
            }
        }
        let lines = Lines()
        let client = Client(Shop.url, transport: Measured(lines: lines)) {}
        try await client.delete("a")
        #expect(lines.all == ["false"])
        let observed = Client(Shop.url, transport: Measured(lines: lines)) { Observe(Told(name: "far", lines: lines)) }
        let endpoint: Endpoint<Void> = observed.endpoint {
            DELETE("a")
            Observe(Told(name: "near", lines: lines))
        }
        try await endpoint.send()
        #expect(lines.all[1...4] == ["far began", "near began", "far sent", "near sent"])
        #expect(lines.all[5] == "true")
        #expect(try endpoint.explanation.contains("Observe: Told"))
    }

    @Test("Observe.none removes the observers of outer scopes and keeps those of its own and inner scopes")
    func none() async throws {
        let seen = Locked<[String]>([])
        func observe(_ name: String) -> Observe {
            Observe { event in
                if case .finished = event.kind { seen.withLock { $0.append("\(event.template) \(name)") } }
            }
        }
        let client = Client(Shop.url, transport: StubTransport { _ in .status(204) }) { observe("client") }
        try await client.endpoint { GET("a") }.send()
        let silent: Endpoint<Void> = client.endpoint {
            GET("b")
            Observe.none
        }
        try await silent.send()
        try await silent.with { observe("call") }.send()
        for isFirst in [true, false] {
            try await client.endpoint {
                GET("c")
                if isFirst { Observe.none }
                observe("own")
                if !isFirst { Observe.none }
            }.send()
        }
        #expect(seen.withLock { $0 } == ["a client", "b call", "c own", "c own"])
        #expect(try silent.explanation.contains(/Observe: none +endpoint/))
    }
}
