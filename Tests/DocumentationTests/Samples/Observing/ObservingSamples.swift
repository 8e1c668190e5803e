import Foundation
import Testing
import Waybill
import WaybillTesting

struct SlowCalls: CallObserver {
    func observe(_ event: CallEvent) {
        guard case .finished = event.kind, event.time > .seconds(2) else { return }
        print("\(event.method) \(event.template) took \(event.time)")
    }
}

@Suite("Observing.md")
struct ObservingSamples {
    private let url = Sample.url

    /// Returns the lines of a log, renumbered from `first`.
    private func lines(_ detail: RequestLog.Detail, first: Int, @Scope.Builder _ clauses: () -> Scope = { Scope() })
        async -> String
    {
        let clock = ManualClock()
        let logger = Logger()
        let stub = StubTransport { request in
            switch request.path {
            case "/products/7":
                clock.advance(by: .milliseconds(34))
                return StubResponse(
                    headerFields: HTTPFields(
                        [HTTPField(name: .contentType, value: "application/json")]
                    ),
                    body: Data(#"{"id":7,"name":"Lamp","price":30,"n":1.5}"#.utf8)
                )
            case "/products/8":
                clock.advance(by: .milliseconds(12))
                return .status(404)
            default:
                clock.advance(by: .milliseconds(250))
                throw TransportError(.connectionLost)
            }
        }
        let client = Client(url, transport: stub, clock: clock) {
            Observe(RequestLog(detail) { logger.debug("\($0)") })
            clauses()
        }
        for id in detail == .calls ? [7, 8, 9] : [7] {
            _ = await Sample.failure {
                try await client.get("products/\(id)", as: JSONValue.self)
            }
        }
        var numbers: [Substring] = []
        let text = logger.lines.map { $0.dropFirst("debug ".count) }.joined(separator: "\n")
        return text.replacing(/(?<mark>[✓✗→←]) (?<number>\d+)/) { match in
            if !numbers.contains(match.output.number) { numbers.append(match.output.number) }
            return "\(match.output.mark) \(first + (numbers.firstIndex(of: match.output.number) ?? 0))"
        }
    }

    @Test("The lines of the log match Observing.md")
    func requestLog() async throws {
        let client = Client(url) {
            Observe(RequestLog { print($0) })
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Observe: RequestLog"))
        #expect(
            await lines(.calls, first: 1) == """
                ✓ 1 GET products/{} 200 OK in 34 ms, 41 bytes
                ✗ 2 GET products/{} 404 Not Found in 12 ms, 0 bytes
                ✗ 3 GET products/{} in 250 ms: got no response: the connection was lost
                """
        )
    }

    @Test("The log with header fields matches Observing.md")
    func headers() async {
        #expect(
            await lines(.headers, first: 4, { Authorization(.bearer("t")) }) == """
                → 4 GET products/{} https://shop.example/products/7
                    Accept: application/json
                    Authorization: Bearer ‹redacted›
                ← 4 200 OK after 34 ms
                    Content-Type: application/json
                ✓ 4 GET products/{} 200 OK in 34 ms, 41 bytes
                """
        )
    }

    @Test("The deprecation in Observing.md is logged once")
    func deprecation() async throws {
        let logger = Logger()
        let headers: HTTPFields = [
            HTTPField(name: try #require(HTTPField.Name("Deprecation")), value: "@1688169599"),
            HTTPField(name: .link, value: "</v2>; rel=\"deprecation\""),
        ]
        let client = Client(url, transport: StubTransport(["GET orders": .text("a", headers: headers)])) {
            Observe(RequestLog { logger.debug("\($0)") })
            Observe { event in
                guard let deprecation = event.deprecation else { return }
                print("\(event.template) is \(deprecation)")
            }
        }
        for _ in 0..<2 { _ = try await client.get("orders", as: String.self) }
        let lines = logger.lines.map { $0.dropFirst("debug ".count) }.filter { $0.hasPrefix("!") }
        #expect(
            lines.map { $0.replacing(/^! \d+/, with: "! 5") }.joined(separator: "\n") == """
                ! 5 GET orders is deprecated from 2023-06-30T23:59:59Z, see https://shop.example/v2
                """
        )
    }

    @Test("The table in Observing.md lists every kind of event")
    func table() throws {
        let source = try Repository.text(of: "Sources/Waybill/Observing/CallEvent.swift")
        let kinds = source[..<(source.range(of: "public enum CacheUse")?.lowerBound ?? source.endIndex)]
        let cases = kinds.matches(of: /\n        case (\w+)/).map { "`\($0.output.1)`" }
        let rows = try Repository.page("Documentation/Operate/Observing.md").rows(ofTableUnder: "Kind")
        #expect(cases.count == 14)
        #expect(rows.map { $0[0] } == cases)
    }

    @Test("The custom observers in Observing.md compile")
    func observers() throws {
        let client = Client(url) {
            Observe(SlowCalls())
            Observe { event in
                if case .retried(let wait, _) = event.kind { print("\(event.template) retrying in \(wait)") }
            }
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Observe { event in
                guard case .body = event.kind, let total = event.metrics?.total else { return }
                print("\(event.template) took \(total) on the network")
            }
        }
        #expect(try endpoint.explanation.contains("Observe: "))
    }

    @Test("The events in Observing.md form a sequence")
    func sequence() async throws {
        let stub = StubTransport(["GET a": .json("1")])
        let events = CallEvent.Stream(bufferingNewest: 1000)
        let client = Client(url) {
            Observe(events)
        }

        let reader = Task {
            for await event in events { print(event) }
        }
        #expect(client.url == url)
        let stubbed = Client(url, transport: stub) { Observe(events) }
        #expect(try await stubbed.get("a", as: Int.self) == 1)
        events.finish()
        await reader.value
        #expect(events.droppedCount == 0)
    }

    @Test("The secret path value in Observing.md is in the URL but not in the description")
    func secrets() throws {
        let token = "s3cret"
        let client = Client(url) {
            Secret("X-Session", "iban")
            Observe(RequestLog(.headers) { print($0) })
        }

        let reset: Endpoint<Void> = client.endpoint { POST("resets/\(secret: token)") }
        #expect(try reset.url.absoluteString.hasSuffix("/resets/s3cret"))
        #expect(!reset.description.contains("s3cret"))
    }
}
