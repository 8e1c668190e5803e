import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Limits under load", .inTurn, .safetyNet)
struct LimiterStressTests {
    /// A transport that responds after a while, and counts requests in flight.
    private struct Counting: Transport {
        struct Counts {
            var now = 0
            var most = 0
            var all = 0
        }

        let counts = Locked(Counts())

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            counts.withLock { counts in
                counts.now += 1
                counts.all += 1
                counts.most = max(counts.most, counts.now)
            }
            defer { counts.withLock { $0.now -= 1 } }
            for _ in 0..<(request.url.absoluteString.utf8.count % 7) { await Task.yield() }
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            return HTTPResponse(status: 200, body: HTTPBody(Data("1".utf8)))
        }
    }

    @Test(
        "Hundreds of limited calls with random cancellations all end, and leave no state behind",
        arguments: Thoroughness.some(0..<8, oneIn: 4)
    )
    func cancellations(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let transport = Counting()
        let clock = ManualClock()
        let client = Client(Shop.url, transport: transport, clock: clock) {
            Limit(concurrent: 5)
            if seed % 2 == 1 { Limit(7, per: .milliseconds(3)) }
        }
        // The clock advances as soon as a task sleeps on it.
        let hands = Task {
            while !Task.isCancelled { await clock.advanceToNextDeadline() }
        }
        var tasks: [Task<APIError?, Never>] = []
        var cancelled: Set<Int> = []
        for number in 0..<400 {
            tasks.append(
                client.start("\(Int.random(in: 0..<1_000_000, using: &random))") {
                    if number % 3 == 0 { Limit(concurrent: 2) }
                }
            )
            if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
            while Int.random(in: 0..<3, using: &random) == 0 {
                let victim = Int.random(in: 0...number, using: &random)
                tasks[victim].cancel()
                cancelled.insert(victim)
            }
        }
        for (number, task) in tasks.enumerated() {
            switch await task.value {
            case nil: break
            case .cancelled: #expect(cancelled.contains(number))
            case let error: Issue.record("\(number): \(String(describing: error))")
            }
        }
        hands.cancel()
        let counts = transport.counts.withLock { $0 }
        #expect(counts.most <= 5)
        #expect(counts.now == 0)
        #expect(counts.all >= 400 - cancelled.count)
        #expect(client.limiter.isAtRest)
        #expect(client.limiter.waitingCount == 0)
    }
}
