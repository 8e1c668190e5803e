import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("ObservingWithSwiftLog.md, ObservingWithSwiftMetrics.md, ObservingWithDistributedTracing.md")
struct ObservingHooksSamples {
    private let url = Sample.url

    /// Sends once more what was lost.
    private struct Again: Middleware {
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

    /// Answers a request at its second attempt, and another never.
    private var stub: StubTransport {
        StubTransport([
            "GET products/{}": .sequence([.failure(TransportError(.connectionLost)), .json("1")]),
            "GET gone": .status(410),
        ])
    }

    private func call(_ client: Client) async throws {
        _ = try await client.get("products/\(7)", as: Int.self)
        _ = await Sample.failure { () async throws(APIError) in try await client.get("gone", as: Int.self) }
    }

    @Test("Lines in a logger")
    func lines() async throws {
        let logger = Logger()
        let client = Client(url) {
            Observe(RequestLog { logger.debug("\($0)") })
        }
        let logged: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try logged.explanation.contains("Observe: RequestLog"))
    }

    @Test("An observer with a logger")
    func logger() async throws {
        let logger = Logger()
        let client = Client(url) {
            Observe(CallLogger(logger: logger))
        }
        #expect(client.url == url)
        let logged = Client(url, transport: stub, clock: ManualClock()) {
            Observe(CallLogger(logger: logger))
            Use(Again())
        }
        try await call(logged)
        let lines = logger.lines.map {
            $0.replacing(/call=\d+/, with: "call=n").replacing(/\n.*metadata/, with: " metadata")
        }
        #expect(
            lines.first
                == "notice again in 0.2 seconds attempt=1 call=n method=GET milliseconds=0.0 template=products/{}"
        )
        #expect(lines[1] == "debug 200 OK attempt=2 call=n method=GET milliseconds=0.0 template=products/{}")
        #expect(lines[2].hasPrefix("error GET gone failed: 410 Gone"))
        #expect(lines.count == 3)
    }

    @Test("An observer with metrics")
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
                    Use(Again())
                }
            )
        }
        #expect(
            records.all == [
                "http_client_retries{method=GET,template=products/{}} +1",
                "http_client_body_bytes{method=GET,template=products/{}} 1",
                "http_client_duration{method=GET,template=products/{},status=200} 0.0 seconds",
                "http_client_body_bytes{method=GET,template=gone} 0",
                "http_client_duration{method=GET,template=gone,status=410} 0.0 seconds",
            ]
        )
    }

    @Test("A span for each attempt, whose context each request carries")
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
                    Use(Again())
                    Use(Traced(), around: .eachAttempt)
                }
            )
        }
        #expect(
            tracer.spans.map(\.text) == [
                "GET products/{} http.request.method=GET url.template=products/{} recorded error ended",
                "GET products/{} http.request.method=GET http.request.resend_count=1 http.response.status_code=200 "
                    + "url.template=products/{} ended",
                "GET gone http.request.method=GET http.response.status_code=410 url.template=gone ended",
            ]
        )
        #expect(stub.requests.map { $0.headerFields["traceparent"] } == tracer.spans.map(\.context.id))
    }
}
