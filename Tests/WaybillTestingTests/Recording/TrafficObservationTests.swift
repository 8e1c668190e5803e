import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillJSON
import WaybillLimits
import WaybillTesting

@Suite("Traffic recorders as observers", .inTurn)
struct TrafficObservationTests {
    private let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    /// A transport whose responses take 50 ms of a manual clock, with optional metrics.
    private struct TimedTransport: Transport {
        let clock: ManualClock
        var metrics: TransferOptions.Report.Metrics?
        let stub: StubTransport

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            clock.advance(by: .milliseconds(50))
            if let metrics, let report = options.report, report.isMeasured { report.measure { metrics } }
            return try await stub.send(request, options: options)
        }
    }

    private func log(of traffic: TrafficRecorder) throws -> JSONValue {
        let har = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(traffic.har.utf8))
        return try #require(har["log"])
    }

    private func events(_ log: JSONValue, call: Int) -> [JSONValue] {
        log["_calls"]?[call]?["events"]?.arrayValue ?? []
    }

    private func kinds(_ log: JSONValue, call: Int) -> [String] {
        events(log, call: call).compactMap { $0["kind"]?.stringValue }
    }

    @Test("Attempts have the number of their call, and the call contains the wait between them")
    func attempts() async throws {
        let (traffic, clock) = (TrafficRecorder(), ManualClock())
        let stub = StubTransport([
            "GET items": .sequence([.status(503).header("Retry-After", "10"), .json("[1]")])
        ])
        let client = Client(url, transport: TimedTransport(clock: clock, stub: stub), clock: clock) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        let items: Endpoint<[Int]> = client.endpoint {
            GET("items")
            Retry(attempts: 2, backoff: .none)
        }
        let task = Task { try await items.send() }
        await clock.waitForSleepers(count: 1)
        _ = await clock.advanceToNextDeadline()
        #expect(try await task.value == [1])
        let log = try log(of: traffic)
        let entries = try #require(log["entries"]?.arrayValue)
        let call = try #require(log["_calls"]?[0])
        #expect(entries.map { $0["_call"] } == [call["number"], call["number"]])
        #expect(entries.map { $0["_attempt"] } == [1, 2])
        #expect(entries.map { $0["_offset"] } == [0, 10_050])
        #expect(entries.map { $0["time"] } == [50, 50])
        #expect(
            kinds(log, call: 0) == ["began", "sent", "head", "body", "retried", "sent", "head", "body", "finished"]
        )
        #expect(events(log, call: 0).compactMap { $0["wait"] } == [10_000])
        #expect(call["time"] == 10_100)
    }

    @Test(
        "The phases of an exchange come from the transport's metrics and add up to its time",
        arguments: [
            (nil, nil, nil, nil, [0, -1, -1, -1, 50, 0]), (4, 10, 30, 45, [0, 4, 26, 20, 15, 5]),
            (4, 10, nil, 45, [0, 4, 6, -1, 35, 5]), (nil, nil, nil, 20, [0, -1, -1, -1, 20, 30]),
            // Contradictory metrics produce no negative times.
            (30, 10, 5, 2, [0, 30, 0, 0, 0, 48]),
        ] as [(Int?, Int?, Int?, Int?, [JSONValue])]
    )
    func phases(lookup: Int?, connect: Int?, secure: Int?, firstByte: Int?, expected: [JSONValue]) async throws {
        let (traffic, clock) = (TrafficRecorder(), ManualClock())
        var metrics = TransferOptions.Report.Metrics()
        metrics.nameLookup = lookup.map { .milliseconds($0) }
        metrics.connect = connect.map { .milliseconds($0) }
        metrics.secure = secure.map { .milliseconds($0) }
        metrics.firstByte = firstByte.map { .milliseconds($0) }
        metrics.protocolVersion = "HTTP/2"
        let transport = TimedTransport(clock: clock, metrics: metrics, stub: StubTransport { _ in .json("[]") })
        let client = Client(url, transport: transport, clock: clock) {
            Use(traffic)
            Observe(traffic)
        }
        _ = try await client.get("items", as: [Int].self)
        let entry = try #require(try log(of: traffic)["entries"]?[0])
        let timings = try #require(entry["timings"])
        #expect(["blocked", "dns", "connect", "ssl", "wait", "receive"].map { timings[$0] } == expected)
        let parts = ["blocked", "dns", "connect", "send", "wait", "receive"].compactMap { timings[$0]?.doubleValue }
        #expect(parts.filter { $0 > 0 }.reduce(0, +) == entry["time"]?.doubleValue)
        #expect(entry["response"]?["httpVersion"] == "HTTP/2")
    }

    @Test("The time before the last request of an exchange, such as a redirect, counts as blocked")
    func redirects() async throws {
        let (traffic, clock) = (TrafficRecorder(), ManualClock())
        let stub = StubTransport { request in request.path == "/old" ? .redirect(to: "/new") : .json("[]") }
        let client = Client(url, transport: TimedTransport(clock: clock, stub: stub), clock: clock) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        _ = try await client.get("old", as: [Int].self)
        let timings = try #require(try log(of: traffic)["entries"]?[0]?["timings"])
        #expect(timings["blocked"] == 50)
        #expect(timings["wait"] == 50)
    }

    @Test("A call served from a cache has no exchange and is recorded with the cache use")
    func cache() async throws {
        let traffic = TrafficRecorder()
        let stub = StubTransport(["GET items": .json("[1]").header("Cache-Control", "max-age=60")])
        let client = Client(url, transport: stub) {
            Cached(in: HTTPCache(maximumBytes: 1_000_000))
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        for _ in 1...2 { #expect(try await client.get("items", as: [Int].self) == [1]) }
        let log = try log(of: traffic)
        #expect(log["entries"]?.arrayValue?.count == 1)
        #expect(kinds(log, call: 1) == ["began", "cached", "finished"])
        #expect(events(log, call: 1).compactMap { $0["use"] } == ["fresh"])
        #expect(traffic.report.html.contains("from the cache"))
    }

    @Test("A token call has the number of the call that triggered it")
    func parents() async throws {
        let traffic = TrafficRecorder()
        let stub = StubTransport(["POST token": .json(#"{"token": "t0ken-of-server"}"#), "GET items": .json("[1]")])
        let auth = Client(url, transport: stub) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        let tokens = RefreshingToken { _ in
            let grant: Endpoint<JSONValue> = auth.endpoint { POST("token") }
            return .init(try await grant.send()["token"]?.stringValue ?? "")
        }
        let client = Client(url, transport: stub) {
            Authorization(.bearer(refreshing: tokens))
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        _ = try await client.get("items", as: [Int].self)
        let log = try log(of: traffic)
        #expect(log["_calls"]?[1]?["parent"] == log["_calls"]?[0]?["number"])
        #expect(kinds(log, call: 0).contains("refreshed"))
        let html = traffic.report.html
        #expect(html.contains("<a href=#call-\(log["_calls"]?[0]?["number"]?.intValue ?? 0)>"))
        #expect(!html.contains("t0ken-of-server"))
    }

    @Test("A call that waits for a limit's permit is recorded as queued")
    func limits() async throws {
        let (traffic, gate, events) = (TrafficRecorder(), Gate(), CallEvent.Stream(bufferingNewest: 100))
        let client = Client(url, transport: StubTransport(["GET items": .json("[1]").held(by: gate)])) {
            Limit(concurrent: 1)
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
            Observe(events)
        }
        let tasks = (1...2).map { _ in Task { try await client.get("items", as: [Int].self) } }
        for await event in events {
            if case .queued = event.kind { break }
        }
        gate.open()
        for task in tasks { _ = try await task.value }
        let log = try log(of: traffic)
        #expect((0...1).filter { kinds(log, call: $0).contains("queued") }.count == 1)
        #expect(traffic.report.html.contains("for a permit"))
    }

    @Test("Without the Observe clause, exchanges have only their attempt and response time")
    func unobserved() async throws {
        let traffic = TrafficRecorder()
        let client = Client(url, transport: StubTransport { _ in .json("[1]") }) { Use(traffic, around: .eachAttempt) }
        _ = try await client.get("items", as: [Int].self)
        let log = try log(of: traffic)
        let entry = try #require(log["entries"]?[0])
        #expect(log["_calls"] == nil)
        #expect(entry["_call"] == nil)
        #expect(entry["_attempt"] == 1)
        #expect(["blocked", "dns", "connect", "ssl"].allSatisfy { entry["timings"]?[$0] == -1 })
        #expect(traffic.report.html.contains("/items"))
    }

    @Test("Without the Use clause, calls are recorded without messages")
    func observed() async throws {
        let traffic = TrafficRecorder(newest: 2)
        let client = Client(url, transport: StubTransport { _ in .json("[1]") }) { Observe(traffic) }
        for id in 1...3 { _ = try await client.get("items/\(id)", as: [Int].self) }
        let log = try log(of: traffic)
        #expect(log["entries"]?.arrayValue?.isEmpty == true)
        let urls = log["_calls"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
        #expect(urls == ["\(url)/items/2", "\(url)/items/3"])
        #expect(traffic.report.html.contains("/items/3"))
        traffic.removeAll()
        #expect(!traffic.har.contains("_calls"))
    }

    @Test("Each failed attempt of a call has its failure in a separate exchange")
    func failures() async throws {
        let (traffic, clock) = (TrafficRecorder(), ManualClock())
        let stub = StubTransport { _ in .failure(TransportError(.connectionLost, "the connection was lost")) }
        let client = Client(url, transport: TimedTransport(clock: clock, stub: stub), clock: clock) {
            Retry(attempts: 2, backoff: .none)
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        await #expect(throws: APIError.self) { try await client.get("items", as: [Int].self) }
        let entries = try #require(try log(of: traffic)["entries"]?.arrayValue)
        #expect(entries.map { $0["timings"]?["wait"] } == [50, 50])
        #expect(entries.map { $0["_fault"]?["kind"] } == ["connectionLost", "connectionLost"])
        #expect(entries.map { $0["_offset"] } == [0, 50])
    }

    @Test("A HAR with calls is replayed, and an unknown or invalid member in it is an error")
    func replay() async throws {
        let traffic = TrafficRecorder()
        let client = Client(url, transport: StubTransport { _ in .json("[1]") }) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        _ = try await client.get("items", as: [Int].self)
        let folder = RecordingFolder()
        try traffic.write(to: folder.file)
        let replay = try RecordedTransport(folder.file)
        #expect(try await Client(url, transport: replay).get("items", as: [Int].self) == [1])
        try replay.finish()
        let text = try folder.text
        for (old, new) in [
            (#""_attempt": 1"#, #""_atempt": 1"#), (#""_attempt": 1"#, #""_attempt": "1""#),
            (#""events": ["#, #""event": ["#), (#""kind": "began""#, #""kind": 1"#),
        ] {
            try folder.write(text.replacingOccurrences(of: old, with: new))
            let file = folder.file
            let error = try #require(throws: RecordedTransport.Failure.self) { try RecordedTransport(file) }
            #expect(error.line != nil)
        }
    }

    #if os(Linux)
        @Test("The phases of a real connection are recorded")
        func connection() async throws {
            let traffic = TrafficRecorder()
            try await LoopbackServer.run(["GET items": .json("[1]")]) { server in
                let client = Client(server.url) {
                    Use(traffic, around: .eachAttempt)
                    Observe(traffic)
                }
                _ = try await client.get("items", as: [Int].self)
            }
            let entry = try #require(try log(of: traffic)["entries"]?[0])
            #expect(entry["response"]?["httpVersion"] == "HTTP/1.1")
            #expect(try #require(entry["timings"]?["connect"]?.doubleValue) >= 0)
            #expect(entry["response"]?["bodySize"] == 3)
        }
    #endif
}
