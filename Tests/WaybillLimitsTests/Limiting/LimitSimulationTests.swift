import TestSupport
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("LimitQueues, simulated")
struct LimitSimulationTests {
    /// Simulates random events: calls start, end, are abandoned, and are held back.
    @Test(
        "In random simulations, limit queues respect limits, keep their order, and admit every call",
        arguments: Thoroughness.some(0..<40, oneIn: 4)
    )
    func simulation(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var lines = LimitQueues<Int>()
        let most = Int.random(in: 1...4, using: &random)
        let (count, interval) = (Int.random(in: 1...5, using: &random), Duration.seconds(7))
        let single = LimitKey(limit: Limit(concurrent: most, maximumWait: .seconds(1_000_000)), origin: nil)
        let choices = [[single, LimitKey(limit: Limit(count, per: interval), origin: nil)], [single]]
        var (now, next) = (Duration.zero, 0)
        var onTheWay: [(Int, [LimitKey])] = []
        var waiting: [(number: Int, keys: [LimitKey], ticket: LimitQueues<Int>.Ticket)] = []
        var starts: [Duration] = []
        var held = Duration.zero
        func started(_ number: Int, _ keys: [LimitKey]) {
            onTheWay.append((number, keys))
            if keys.count == 2 { starts.append(now) }
            #expect(onTheWay.count <= most)
            #expect(starts.count { $0 > now - interval } <= count)
            #expect(now >= held)
        }
        func admit() {
            for number in lines.admit(now: now) {
                guard let place = waiting.firstIndex(where: { $0.number == number }) else {
                    Issue.record("\(number) does not wait")
                    continue
                }
                let keys = waiting[place].keys
                // No call with the same limits has waited longer.
                #expect(waiting.first { $0.keys == keys }?.number == number)
                waiting.remove(at: place)
                started(number, keys)
            }
        }
        for _ in 0..<400 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                let keys = choices[Int.random(in: 0...1, using: &random)]
                switch lines.enter(keys, latest: nil, now: now, waiter: next) {
                case .passed:
                    #expect(!waiting.contains { $0.keys == keys })
                    started(next, keys)
                case .waits(let ticket): waiting.append((next, keys, ticket))
                case .rejected, nil: Issue.record("rejected")
                }
                next += 1
            case 40..<75:
                if let place = onTheWay.indices.randomElement(using: &random) {
                    lines.leave(onTheWay.remove(at: place).1)
                }
            case 75..<80:
                if let place = waiting.indices.randomElement(using: &random) {
                    let left = waiting.remove(at: place)
                    #expect(lines.abandon(left.ticket) == left.number)
                }
            case 80..<82:
                held = max(held, now + .seconds(3))
                #expect(lines.hold([single], as: RateLimitHint(wait: .seconds(3), source: .reset), now: now).isEmpty)
            default: now += .seconds(Int.random(in: 0...4, using: &random))
            }
            admit()
            #expect(lines.waitingCount == waiting.count)
        }
        for _ in 0..<1000 where !waiting.isEmpty || !onTheWay.isEmpty {
            for (_, keys) in onTheWay { lines.leave(keys) }
            onTheWay = []
            if let opening = lines.nextOpening(now: now) { now = max(now, opening) }
            admit()
        }
        #expect(waiting.isEmpty)
        #expect(lines.isEmpty)
    }
}
