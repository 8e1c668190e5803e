import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("LimitCounter")
struct LimitCounterTests {
    @Test("A limit of three calls in ten seconds yields the times of the next calls")
    func openings() {
        var counter = LimitCounter(Limit(3, per: .seconds(10)))
        func openings(at now: Int) -> [Duration] {
            (0..<8).map { counter.opening(behind: $0, now: .seconds(now)) }
        }
        func seconds(_ values: Int...) -> [Duration] { values.map { .seconds($0) } }
        #expect(openings(at: 0) == seconds(0, 0, 0, 10, 10, 10, 20, 20))
        counter.enter(now: .seconds(1))
        counter.enter(now: .seconds(4))
        #expect(openings(at: 5) == seconds(5, 11, 14, 15, 21, 24, 25, 31))
        counter.enter(now: .seconds(6))
        #expect(openings(at: 7) == seconds(11, 14, 16, 21, 24, 26, 31, 34))
        counter.enter(now: .seconds(11))
        #expect(openings(at: 12) == seconds(14, 16, 21, 24, 26, 31, 34, 36))
        counter.hold(as: RateLimitHint(wait: .seconds(18), source: .reset), now: .seconds(12))
        #expect(openings(at: 13) == seconds(30, 30, 30, 40, 40, 40, 50, 50))
        counter.hold(as: RateLimitHint(wait: .seconds(7), source: .reset), now: .seconds(13))
        #expect(counter.heldUntil == .seconds(30))
    }

    @Test(
        "The later of two server holds applies, and Retry-After takes precedence over a reset",
        arguments: [
            (RateLimitHint(wait: .seconds(30), source: .reset), RateLimitHint(wait: .seconds(5), source: .reset), 30),
            (RateLimitHint(wait: .seconds(5), source: .reset), RateLimitHint(wait: .seconds(30), source: .reset), 32),
            (.init(wait: .seconds(30), source: .reset), .init(wait: .seconds(5), source: .retryAfter), 7),
            (.init(wait: .seconds(30), source: .retryAfter), .init(wait: .seconds(50), source: .reset), 30),
            (.init(wait: .seconds(30), source: .retryAfter), .init(wait: .seconds(5), source: .retryAfter), 30),
            (.init(wait: .seconds(1), source: .retryAfter), .init(wait: .seconds(50), source: .reset), 52),
        ]
    )
    func holds(first: RateLimitHint, second: RateLimitHint, end: Int) {
        var counter = LimitCounter(Limit.byServer())
        counter.hold(as: first, now: .zero)
        counter.hold(as: second, now: .seconds(2))
        #expect(counter.heldUntil == .seconds(end))
    }

    @Test("A limit counter without calls, holds, or waiters is idle")
    func idle() {
        var counter = LimitCounter(Limit(2, per: .seconds(10)))
        #expect(counter.isIdle(now: .zero))
        for second in 1...3 {
            counter.enter(now: .seconds(second * 10))
            #expect(!counter.isIdle(now: .seconds(99)))
            counter.leave()
            #expect(!counter.isIdle(now: .seconds(second * 10 + 9)))
            #expect(counter.isIdle(now: .seconds(second * 10 + 10)))
        }
        counter.hold(as: RateLimitHint(wait: .seconds(20), source: .retryAfter), now: .seconds(40))
        #expect(!counter.isIdle(now: .seconds(59)))
        counter.waiting = 1
        #expect(!counter.isIdle(now: .seconds(60)))
    }
}
