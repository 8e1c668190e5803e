import Foundation
import TestSupport
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("Paced windows")
struct PacedWindowTests {
    private static let limit = Limit.byServer(waiting: 1_000_000, maximumWait: .seconds(86_400), pacedBelow: 4)

    private static func quota(_ remaining: Int, in reset: Int, policy: RateLimitQuota.Policy? = nil) -> RateLimitQuota {
        RateLimitQuota(name: "a", remaining: remaining, reset: .seconds(reset), policy: policy)
    }

    /// Returns the times in seconds when calls behind 0, 1, 2… others can be sent.
    private static func openings(_ counter: LimitCounter, _ count: Int, now: Int = 0) -> [Double] {
        (0..<count).map { counter.opening(behind: $0, now: .seconds(now)).inSeconds }
    }

    @Test(
        "Remaining requests below the threshold are spread over the window, and the next one waits for its end"
    )
    func spread() {
        var counter = LimitCounter(Self.limit)
        counter.pace(by: [Self.quota(3, in: 40)], number: counter.enter(now: .zero), now: .zero)
        #expect(Self.openings(counter, 5) == [10, 20, 30, 40, 40])
        counter.enter(now: .seconds(10))
        #expect(Self.openings(counter, 3, now: 10) == [20, 30, 40])
        // No call has to catch up after a pause.
        #expect(Self.openings(counter, 3, now: 31) == [31, 31, 40])
        #expect(Self.openings(counter, 3, now: 40) == [40, 40, 40])
    }

    @Test("Requests at or above the threshold are sent at once, and those below it are spread")
    func plenty() {
        var counter = LimitCounter(Self.limit)
        counter.pace(by: [Self.quota(6, in: 40)], number: counter.enter(now: .zero), now: .zero)
        #expect(Self.openings(counter, 7) == [0, 0, 0, 10, 20, 30, 40])
    }

    @Test("Calls after the reporting one are subtracted, and a report on an earlier call only lowers the count")
    func order() {
        var counter = LimitCounter(Self.limit)
        let numbers = (1...3).map { _ in counter.enter(now: .zero) }
        counter.pace(by: [Self.quota(8, in: 40)], number: numbers[1], now: .zero)
        #expect(Self.openings(counter, 8) == [0, 0, 0, 0, 10, 20, 30, 40])
        counter.pace(by: [Self.quota(9, in: 40)], number: numbers[0], now: .zero)
        #expect(Self.openings(counter, 8) == [0, 0, 0, 0, 10, 20, 30, 40])
        counter.pace(by: [Self.quota(2, in: 40)], number: numbers[0], now: .zero)
        #expect(Self.openings(counter, 3).last == 40)
        counter.pace(by: [Self.quota(6, in: 40)], number: numbers[2], now: .zero)
        #expect(Self.openings(counter, 7) == [0, 0, 0, 10, 20, 30, 40])
    }

    @Test("The strictest of several quotas applies")
    func strictest() {
        var counter = LimitCounter(Self.limit)
        let day = RateLimitQuota(name: "day", remaining: 1, reset: .seconds(100))
        counter.pace(by: [Self.quota(3, in: 40), day], number: counter.enter(now: .zero), now: .zero)
        #expect(Self.openings(counter, 2) == [50, 100])
    }

    @Test("After the window, the policy's quota applies for one window without a report")
    func renewed() {
        var counter = LimitCounter(Self.limit)
        let policy = RateLimitQuota.Policy(quota: 3, window: .seconds(40))
        counter.pace(by: [Self.quota(0, in: 10, policy: policy)], number: counter.enter(now: .zero), now: .zero)
        #expect(Self.openings(counter, 1) == [10])
        #expect(Self.openings(counter, 4, now: 10) == [20, 30, 40, 50])
        #expect(!counter.isIdle(now: .seconds(10)))
        #expect(Self.openings(counter, 4, now: 50) == [50, 50, 50, 50])
    }

    @Test("A hold from Retry-After replaces windows, and later windows are ignored until its end")
    func retryAfter() {
        var counter = LimitCounter(Self.limit)
        let number = counter.enter(now: .zero)
        counter.pace(by: [Self.quota(0, in: 40)], number: number, now: .zero)
        counter.hold(as: RateLimitHint(wait: .seconds(5), source: .retryAfter), now: .zero)
        counter.pace(by: [Self.quota(0, in: 40)], number: number, now: .zero)
        #expect(Self.openings(counter, 2) == [5, 5])
    }

    @Test("An unpaced limit ignores quotas, and a server cannot add windows without bound")
    func bounds() {
        var counter = LimitCounter(.byServer())
        counter.pace(by: [Self.quota(0, in: 40)], number: counter.enter(now: .zero), now: .zero)
        #expect(Self.openings(counter, 1) == [0])
        #expect(counter.isIdle(now: .zero) == false)
        var paced = LimitCounter(Self.limit)
        let number = paced.enter(now: .zero)
        for name in 0..<1000 {
            let quota = RateLimitQuota(name: "\(name)", remaining: 0, reset: .seconds(name == 983 ? 80 : 40))
            paced.pace(by: [quota], number: number, now: .zero)
        }
        #expect(Self.openings(paced, 1) == [40])
        paced.leave()
        #expect(!paced.isIdle(now: .seconds(39)))
        #expect(paced.isIdle(now: .seconds(40)))
    }

    @Test(
        "In random simulations, no server window is exceeded",
        arguments: 0..<UInt64(Thoroughness.repetitions(400, otherwise: 5))
    )
    func simulation(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (quota, window) = (Int.random(in: 3...12, using: &random), 10)
        let keys = [LimitKey(limit: Self.limit, origin: nil)]
        let policy = RateLimitQuota.Policy(quota: quota, window: .seconds(window))
        var queues = LimitQueues<Int>()
        var counts: [Int: Int] = [:]
        var responses: [(time: Int, numbers: [Int], quota: RateLimitQuota)] = []
        func send(_ numbers: [Int], at now: Int) {
            let count = (counts[now / window] ?? 0) + 1
            counts[now / window] = count
            #expect(count <= quota, "window \(now / window)")
            let report = Self.quota(max(0, quota - count), in: window - now % window, policy: policy)
            // The first report arrives before any other call.
            let delay = numbers == [1] ? 0 : Int.random(in: 1...3, using: &random)
            responses.append((now + delay, numbers, report))
        }
        func enter(at now: Int) {
            if case .passed(let numbers)? = queues.enter(keys, latest: nil, now: .seconds(now), waiter: now) {
                send(numbers, at: now)
            }
        }
        enter(at: 0)
        for now in 0..<300 {
            for (_, numbers, quota) in responses.filter({ $0.time == now }).shuffled(using: &random) {
                #expect(queues.pace(keys, numbers, by: [quota], now: .seconds(now)).isEmpty)
                queues.leave(keys)
            }
            responses.removeAll { $0.time <= now }
            for admission in queues.admitWaiters(now: .seconds(now)) { send(admission.numbers, at: now) }
            let arrivals = queues.waitingCount < 30 ? Int.random(in: 0...3, using: &random) : 0
            for _ in 0..<arrivals { enter(at: now) }
        }
        // Calls are not held back needlessly, either.
        #expect(counts.values.reduce(0, +) > quota * 300 / window / 3)
    }
}
