import Testing

@testable import Waybill

@Suite("LimitCounter")
struct LimitCounterTests {
    @Test("When the next calls may be sent, at a rate of three in ten seconds")
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
        counter.hold(until: .seconds(30))
        #expect(openings(at: 13) == seconds(30, 30, 30, 40, 40, 40, 50, 50))
        counter.hold(until: .seconds(20))
        #expect(counter.heldUntil == .seconds(30))
    }

    @Test("It is idle when nothing would be lost with it")
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
        counter.hold(until: .seconds(60))
        #expect(!counter.isIdle(now: .seconds(59)))
        counter.waiting = 1
        #expect(!counter.isIdle(now: .seconds(60)))
    }
}
