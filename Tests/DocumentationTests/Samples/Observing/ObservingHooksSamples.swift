import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("ObservingWithSwiftLog.md, ObservingWithSwiftMetrics.md, ObservingWithDistributedTracing.md")
struct ObservingHooksSamples {
    private let url = Sample.url

    /// Repeats a lost request once, without waiting.
    private let again = Retry(attempts: 2, backoff: .none)

    /// A stub that fails the first attempt of one request, and responds to another one with 410.
    private var stub: StubTransport {
        StubTransport([
            "GET products/{}": .sequence([.failure(TransportError(.connectionLost)), .json("1")]),
            "GET gone": .status(410),
        ])
    }

    private func call(_ client: Client) async throws {
        _ = try await client.get("products/\(7)", as: Int.self)
        _ = await Sample.failure { try await client.get("gone", as: Int.self) }
    }

    @Test("The explanation lists the log for swift-log")
    func lines() async throws {
        let logger = Logger()
        let client = Client(url) {
            Observe(RequestLog { logger.debug("\($0)") })
        }
        let logged: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try logged.explanation.contains("Observe: RequestLog"))
    }

    @Test("The observer for swift-log logs events")
    func logger() async throws {
        let logger = Logger()
        let client = Client(url) {
            Observe(CallLogger(logger: logger))
        }
        #expect(client.url == url)
        let logged = Client(url, transport: stub, clock: ManualClock()) {
            Observe(CallLogger(logger: logger))
            again
        }
        try await call(logged)
        let lines = logger.lines.map {
            $0.replacing(/call=\d+/, with: "call=n").replacing(/\n.*metadata/, with: " metadata")
        }
        #expect(
            lines.first
                == "notice retrying in 0.0 seconds: GET products/{} got no response: the connection was lost "
                + "attempt=1 call=n method=GET milliseconds=0.0 template=products/{}"
        )
        #expect(lines[1] == "debug 200 OK attempt=2 call=n method=GET milliseconds=0.0 template=products/{}")
        #expect(
            lines[2] == "error GET gone failed: 410 Gone attempt=1 call=n method=GET milliseconds=0.0 template=gone"
        )
        #expect(lines.count == 3)
    }

    @Test("The observer for swift-metrics records events")
    func metrics() async throws {
        let client = Client(url) {
            Observe(CallMetrics())
        }
        #expect(client.url == url)
        let records = MetricsRecords()
        try await MetricsRecords.$current.withValue(records) {
            try await call(
                Client(url, transport: stub, clock: ManualClock()) {
                    Observe(CallMetrics())
                    again
                }
            )
        }
        #expect(
            records.all.filter { !$0.hasPrefix("made ") } == [
                "http_client_retries_total{server=shop.example,method=GET,template=products/{}} +1",
                "http_client_response_body_bytes{server=shop.example,method=GET,template=products/{}} 1",
                "http_client_request_duration_seconds{server=shop.example,method=GET,template=products/{},status=200} 0.0 seconds",
                "http_client_response_body_bytes{server=shop.example,method=GET,template=gone} 0",
                "http_client_request_duration_seconds{server=shop.example,method=GET,template=gone,status=410} 0.0 seconds",
            ]
        )
    }

    @Test("The observer for swift-metrics distinguishes servers, including their ports")
    func metricsOfServers() async throws {
        let records = MetricsRecords()
        try await MetricsRecords.$current.withValue(records) {
            let observer = CallMetrics()
            for text in ["https://a.example", "https://b.example/v1", "https://b.example:8443/v1?key=secret"] {
                let client = Client(
                    try #require(URL(string: text.replacing("?key=secret", with: ""))),
                    transport: StubTransport { _ in .json("1") },
                    clock: ManualClock()
                ) { Observe(observer) }
                _ = try await client.get("a", as: Int.self) { if text.contains("key") { Query("key", "secret") } }
            }
        }
        #expect(
            records.all.filter { $0.hasPrefix("made http_client_request") } == [
                "made http_client_request_duration_seconds{server=a.example,method=GET,template=a,status=200} timer in"
                    + " seconds",
                "made http_client_request_duration_seconds{server=b.example,method=GET,template=a,status=200} timer in"
                    + " seconds",
                "made http_client_request_duration_seconds{server=b.example:8443,method=GET,template=a,status=200} timer"
                    + " in seconds",
            ]
        )
    }

    @Test("The observer for swift-metrics creates each metric once")
    func metricsMadeOnce() async throws {
        let records = MetricsRecords()
        try await MetricsRecords.$current.withValue(records) {
            let client = Client(url, transport: StubTransport { _ in .json("1") }, clock: ManualClock()) {
                Observe(CallMetrics())
            }
            for _ in 1...3 { _ = try await client.get("a", as: Int.self) }
        }
        #expect(
            records.all.filter { $0.hasPrefix("made ") } == [
                "made http_client_response_body_bytes{server=shop.example,method=GET,template=a} recorder",
                "made http_client_request_duration_seconds{server=shop.example,method=GET,template=a,status=200} timer in seconds",
            ]
        )
        #expect(records.all.count == 8)
    }

    @Test("The middleware for swift-distributed-tracing creates a span for each attempt")
    func tracing() async throws {
        let client = Client(url) {
            Use(Traced(), around: .eachAttempt)
        }
        #expect(client.url == url)
        let tracer = TracerLookAlike()
        let stub = stub
        try await InstrumentationSystem.$instrument.withValue(tracer) {
            try await call(
                Client(url, transport: stub) {
                    again
                    Use(Traced(), around: .eachAttempt)
                }
            )
        }
        #expect(
            tracer.spans.map(\.text) == [
                "GET products/{} error.type=connectionLost http.request.method=GET server.address=shop.example "
                    + "server.port=443 url.full=https://shop.example/products/7 url.template=products/{} "
                    + "recorded error ended",
                "GET products/{} http.request.method=GET http.request.resend_count=1 http.response.status_code=200 "
                    + "server.address=shop.example server.port=443 url.full=https://shop.example/products/7 "
                    + "url.template=products/{} ended",
                "GET gone error.type=410 http.request.method=GET http.response.status_code=410 "
                    + "server.address=shop.example server.port=443 url.full=https://shop.example/gone "
                    + "url.template=gone error ended",
            ]
        )
        #expect(stub.requests.map { $0.headerFields["traceparent"] } == tracer.spans.map(\.context.id))
    }

    /// Collected texts, accessed only under the lock.
    private nonisolated final class Texts: @unchecked Sendable {
        private let lock = NSLock()
        private var texts: [String] = []

        var all: [String] { lock.withLock { texts } }

        func add(_ text: String) { lock.withLock { texts.append(text) } }
    }

    /// An observer that records each event with its task-local context.
    private struct Contexts: CallObserver {
        let told: Texts

        func observe(_ event: CallEvent) {
            switch event.kind {
            case .retried, .finished, .failed: told.add("\(event.kind.name) \(ServiceContext.current?.id ?? "none")")
            default: break
            }
        }
    }

    @Test("With InLastSpan, the last event of a call has the context of its last span")
    func tracedLines() async throws {
        let logger = Logger()
        let client = Client(url) {
            Observe(InLastSpan(CallLogger(logger: logger)))
            Use(Traced(), around: .eachAttempt)
        }
        #expect(client.url == url)
        let tracer = TracerLookAlike()
        let (bare, wrapped) = (Texts(), Texts())
        let stub = stub
        try await InstrumentationSystem.$instrument.withValue(tracer) {
            try await call(
                Client(url, transport: stub) {
                    Observe(Contexts(told: bare))
                    Observe(InLastSpan(Contexts(told: wrapped)))
                    again
                    Use(Traced(), around: .eachAttempt)
                }
            )
        }
        let ids = tracer.spans.map(\.context.id)
        #expect(ids.count == 3)
        #expect(bare.all == ["retried none", "finished none", "failed none"])
        #expect(wrapped.all == ["retried \(ids[0])", "finished \(ids[1])", "failed \(ids[2])"])
    }
}

nonisolated extension CallEvent.Kind {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .retried: "retried"
        case .finished: "finished"
        case .failed: "failed"
        default: "other"
        }
    }
}
