import Foundation
import Testing
import Waybill
import WaybillTesting

struct UserAgent: Middleware {
    let name: String

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        var request = request
        request.headerFields[.userAgent] = name
        return try await next(request)
    }
}

struct SendLostAgain: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let isRepeatable = request.method.isIdempotent && request.body?.isReplayable ?? true
        do {
            return try await next(request)
        } catch .transport where isRepeatable {
            return try await next(request)
        }
    }
}

struct Priority: Setting {
    let level: Int
}

struct Prioritized: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        var request = request
        request.headerFields[.prefer] = call.settings[Priority.self].map { "priority=\($0.level)" }
        return try await next(request)
    }
}

private struct Report: ResponseContent { let id: Int }

@Suite("Middleware.md")
struct MiddlewareSamples {
    private let url = Sample.url

    @Test("The middleware in Middleware.md changes requests")
    func userAgent() async throws {
        let client = Client(url) {
            Use(UserAgent(name: "shop/1.0"))
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Use: UserAgent"))

        let stub = StubTransport { _ in .json("1") }
        let stubbed = Client(url, transport: stub) { Use(UserAgent(name: "shop/1.0")) }
        #expect(try await stubbed.get("a", as: Int.self) == 1)
        #expect(stub.requests.map { $0.headerFields[.userAgent] } == ["shop/1.0"])
    }

    @Test("The middleware in Middleware.md resends a lost idempotent request")
    func again() async throws {
        let stub = StubTransport([
            "GET a": .sequence([.failure(TransportError(.connectionLost)), .json("1")]),
            "POST a": .failure(TransportError(.connectionLost)),
        ])
        let client = Client(url, transport: stub) { Use(SendLostAgain()) }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(stub.requests.count == 2)
        let error = await Sample.failure { try await client.post("a", body: 1) }
        #expect(error?.call.method == .post)
        #expect(stub.requests.count == 3)
    }

    @Test("The explanation lists the middleware around each attempt in Middleware.md")
    func eachAttempt() throws {
        let client = Client(url) {
            Use(UserAgent(name: "shop/1.0"), around: .eachAttempt)
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Use around each attempt: UserAgent"))
    }

    @Test("The log in Middleware.md contains each request")
    func requestLog() async throws {
        let client = Client(url) {
            Observe(RequestLog { print($0) })
        }
        #expect(client.url == url)

        let clock = ManualClock()
        let logger = Logger()
        let stub = StubTransport { _ in
            clock.advance(by: .milliseconds(34))
            return .json("1")
        }
        let logged = Client(url, transport: stub, clock: clock) {
            Observe(RequestLog { logger.debug("\($0)") })
        }
        #expect(try await logged.get("products/\(7)", as: Int.self) == 1)
        let lines = logger.lines.map { $0.replacing(/^debug ✓ \d+/, with: "✓ 1") }
        #expect(
            lines == [
                """
                ✓ 1 GET products/{} 200 OK in 34 ms, 1 byte
                """
            ]
        )
    }

    @Test("The custom setting in Middleware.md reaches its middleware")
    func setting() async throws {
        let stub = StubTransport { _ in .json(#"{"id":1}"#) }
        let client = Client(url, transport: stub) { Use(Prioritized()) }

        let report: Endpoint<Report> = client.endpoint {
            GET("reports/daily")
            Priority(level: 2)
        }

        #expect(try await report.send().id == 1)
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["priority=2"])
        #expect(try report.explanation.contains("Priority: "))
    }
}
