import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Stale responses (RFC 5861)", .inTurn, .safetyNet)
struct CacheStaleTests {
    static func fields(_ directives: String) -> HTTPFields {
        HTTPFields(lines: ["Cache-Control: \(directives)", "ETag: \"a\""])
    }

    @Test("A stale response is served to all calls while a single revalidation runs")
    func whileRevalidating() async throws {
        let (gate, count) = (Gate(), Lines())
        let bench = CacheBench.serving { request in
            let number = count.add("")
            if number == 2 { await gate.waitUntilOpen() }
            return .json("\(number)", headers: Self.fields("max-age=10, stale-while-revalidate=60"))
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 30)
        for _ in 1...3 { #expect(try await bench.number() == 1) }
        await bench.stub.waitForRequests(count: 2)
        #expect(bench.requestCount == 2)
        #expect(bench.stub.requests.last?.headerFields[.ifNoneMatch] == "\"a\"")
        gate.open()
        await bench.cache.waitForRevalidations()
        #expect(try await bench.number() == 2)
        #expect(bench.events.all == ["stale", "stale", "stale", "fresh"])
        #expect(bench.requestCount == 2)
    }

    @Test("A background revalidation times out, and the next call starts another one")
    func patience() async throws {
        let (clock, count) = (ManualClock(), Lines())
        let date = MovableDate()
        let stub = StubTransport { _ in
            let number = count.add("")
            let response = StubResponse.json("1", headers: Self.fields("max-age=10, stale-while-revalidate=1000"))
            return number == 2 ? response.held(by: Gate()) : response
        }
        let cache = HTTPCache()
        let client = Client(Shop.url, transport: stub, clock: clock, dates: Client.DateProvider { date.now }) {
            Cached(in: cache)
        }
        _ = try await client.get("a", as: Int.self)
        date.advance(by: 20)
        #expect(try await client.get("a", as: Int.self) == 1)
        await stub.waitForRequests(count: 2)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(60))
        await cache.waitForRevalidations()
        #expect(try await client.get("a", as: Int.self) == 1)
        await stub.waitForRequests(count: 3)
        await cache.waitForRevalidations()
    }

    struct Row: CustomTestStringConvertible {
        let directives: String
        var request: String?
        var later = 30.0
        let isUsed: Bool

        var testDescription: String { "\(directives) | \(request ?? "") | \(later)" }
    }

    @Test(
        "If the server fails, a stale response is served if the request or the response allows it",
        arguments: [
            Row(directives: "max-age=10, stale-if-error=20", isUsed: true),
            Row(directives: "max-age=10, stale-if-error=19", isUsed: false),
            Row(directives: "max-age=10", isUsed: false),
            Row(directives: "max-age=10, stale-if-error=-1", isUsed: false),
            Row(directives: "max-age=10, stale-if-error=20, must-revalidate", isUsed: false),
            Row(directives: "max-age=10, stale-if-error=20, no-cache", isUsed: false),
            Row(directives: "max-age=10", request: "stale-if-error=20", isUsed: true),
            Row(directives: "max-age=10, stale-if-error=20", request: "no-cache", isUsed: false),
            Row(directives: "max-age=10, stale-if-error=20", later: -30, isUsed: false),
        ],
        [500, 503, 0]
    )
    func ifError(row: Row, code: Int) async throws {
        let count = Lines()
        let bench = CacheBench.serving { _ in
            let number = count.add("")
            if number == 1 { return .json("1", headers: Self.fields(row.directives)) }
            guard code > 0 else { throw TransportError(.connectionLost) }
            return .status(HTTPResponse.Status(code: code))
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: row.later)
        let second = try? await bench.number { Header(.cacheControl, row.request) }
        #expect(second == (row.isUsed ? 1 : nil))
        #expect(bench.requestCount == 2)
        #expect(bench.events.all == (row.isUsed ? ["stale"] : []))
    }

    @Test("No stale response is served after the call's own timeout")
    func timeout() async throws {
        let (clock, count, date) = (ManualClock(), Lines(), MovableDate())
        let stub = StubTransport { _ in
            let number = count.add("")
            let response = StubResponse.json("1", headers: Self.fields("max-age=10, stale-if-error=1000"))
            return number == 2 ? response.held(by: Gate()) : response
        }
        let client = Client(Shop.url, transport: stub, clock: clock, dates: Client.DateProvider { date.now }) {
            Cached(in: HTTPCache())
            Timeout(.seconds(5))
        }
        _ = try await client.get("a", as: Int.self)
        date.advance(by: 20)
        async let error = failure { try await client.get("a", as: Int.self) }
        await waitUntil { count.all.count == 2 }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        guard case .timeout = await error else {
            Issue.record("expected a timeout")
            return
        }
    }

    @Test("A stale response is served if a call made by middleware times out")
    func innerTimeout() async throws {
        struct Ticket: Middleware {
            let client: Client

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                if request.headerFields.contains(.ifNoneMatch) {
                    try await Call.withDeadline(in: .zero) { () async throws(APIError) in
                        try await client.delete("ticket")
                    }
                }
                return try await next(request)
            }
        }
        let bench = CacheBench(Self.fields("max-age=10, stale-if-error=1000")) {
            Use(Ticket(client: Client(Shop.url, transport: StubTransport { _ in .status(204) })), around: .eachAttempt)
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 20)
        #expect(try await bench.number() == 1)
        #expect(bench.events.all == ["stale"])
    }

    @Test("A 429 or 403 is returned and keeps the stale response, and a 404 or 410 removes it")
    func rejections() async throws {
        for (code, isKept) in [(429, true), (403, true), (404, false), (410, false)] {
            let count = Lines()
            let bench = CacheBench.serving { _ in
                let number = count.add("")
                return number == 1
                    ? .json("1", headers: Self.fields("max-age=10, stale-if-error=1000"))
                    : .status(HTTPResponse.Status(code: code))
            }
            _ = try await bench.number()
            bench.date.advance(by: 30)
            let error = await failure { try await bench.client.get("a", as: Int.self) }
            #expect(error?.status?.code == code)
            #expect((await bench.cache.byteCount > 0) == isKept)
        }
    }
}
