import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Limits over sockets", .inTurn, .safetyNet)
struct LimitSocketTests {
    private struct Load {
        var now = 0
        var most = 0
    }

    @Test("The server never sees more concurrent requests than the limit")
    func concurrent() async throws {
        let load = Locked(Load())
        let server = try LoopbackServer { _ in
            load.withLock { load in
                load.now += 1
                load.most = max(load.most, load.now)
            }
            // Long enough for other requests to arrive if they were admitted.
            for _ in 0..<200 { await Task.yield() }
            load.withLock { $0.now -= 1 }
            return .json("[\(String(repeating: "1,", count: 20_000))1]").chunked()
        }
        defer { server.stop() }
        let client = Client(server.url) { Limit(concurrent: 3) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask { try await client.get("\(number)", as: [Int].self).count }
            }
            for try await count in group { #expect(count == 20_001) }
        }
        #expect(server.requestCount == 60)
        #expect(load.withLock { $0.most } <= 3)
        #expect(client.limiter.isAtRest)
    }

    @Test("Over sockets, a Retry-After delays the next request, and a lost connection opens the circuit")
    func rejections() async throws {
        try await LoopbackServer.run([
            "GET busy": .status(429).header("Retry-After", "30"), "GET ok": .json("1"),
            "GET lost": .json("123").truncated(afterBytes: 1),
        ]) { server in
            let clock = ManualClock()
            let client = Client(server.url, clock: clock) { Limit.byServer() }
            #expect(await client.start("busy").value?.status == 429)
            let waiting = client.start("ok")
            await client.waitForQueue(of: 1)
            #expect(server.requests.count == 1)
            #expect(await clock.advanceToNextDeadline() == .seconds(30))
            #expect(await waiting.value == nil)

            let breaking = Client(server.url) { CircuitBreaker(failures: 1, for: .seconds(60)) }
            guard case .transport = await breaking.start("lost").value,
                case .rejected = await breaking.start("ok").value
            else {
                Issue.record("expected a lost connection, and then an open circuit")
                return
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test("Over sockets, an endless body is read only up to the limit", arguments: [200, 500])
    func body(status: Int) async throws {
        try await LoopbackServer.run([
            "GET a": .json(String(repeating: "1", count: 2000), status: .init(code: status)).chunked(bytes: 100)
                .dripped(bytes: 1000, every: .milliseconds(1))
        ]) { server in
            let client = Client(server.url) { BodyLimits(successBytes: 500, failureBytes: 500) }
            switch await client.start("a").value {
            case .transport(let failure): #expect(status == 200 && failure.error.kind == .bodyTooLarge)
            case .status(let failure): #expect(status == 500 && failure.body.count == 500 && failure.isBodyTruncated)
            case let error: Issue.record("\(String(describing: error))")
            }
        }
    }
}
