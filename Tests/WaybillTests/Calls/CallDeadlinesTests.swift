import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Deadlines of a client's calls", .inTurn, .safetyNet)
struct CallDeadlinesTests {
    private let clock = ManualClock()
    private let passed = Notes<Int>()

    private func deadlines() -> CallDeadlines { CallDeadlines(on: AnyClock(clock), sharesSleeper: true) }

    /// Adds a deadline that passes after a duration from now.
    private func add(after time: Duration, to deadlines: CallDeadlines, _ action: @escaping @Sendable () -> Void) -> Int
    {
        deadlines.add(at: clock.now.offset + time, action)
    }

    /// The wake times of sleeping tasks, in seconds.
    private var sleeps: [Int64] { clock.deadlines.map(\.offset.components.seconds) }

    @Test("A single task sleeps until the earliest of all deadlines")
    func sharing() async {
        let deadlines = deadlines()
        for second in [60, 20, 40] {
            _ = add(after: .seconds(second), to: deadlines) { passed.add(second) }
            await clock.waitForSleepers(count: 1)
        }
        await waitUntil { sleeps == [20] }
        clock.advance(by: .seconds(20))
        await waitUntil { passed.all == [20] && sleeps == [40] }
        clock.advance(by: .seconds(50))
        await waitUntil { passed.all == [20, 40, 60] }
        #expect(sleeps.isEmpty)
    }

    @Test("A removed deadline does not pass, and a passed deadline cannot be removed")
    func removal() async {
        let deadlines = deadlines()
        let first = add(after: .seconds(1), to: deadlines) { passed.add(1) }
        let second = add(after: .seconds(2), to: deadlines) { passed.add(2) }
        let third = add(after: .seconds(2), to: deadlines) { passed.add(3) }
        await clock.waitForSleepers(count: 1)
        #expect(deadlines.remove(second))
        #expect(!deadlines.remove(second))
        clock.advance(by: .seconds(1))
        await waitUntil { passed.all == [1] && sleeps == [2] }
        #expect(!deadlines.remove(first))
        clock.advance(by: .seconds(1))
        await waitUntil { passed.all == [1, 3] }
        #expect(!deadlines.remove(third))
    }

    @Test("Removing every deadline keeps the task asleep for the next call, until its wake time")
    func idling() async {
        let deadlines = deadlines()
        for _ in 1...1000 { #expect(deadlines.remove(add(after: .seconds(20), to: deadlines) { passed.add(20) })) }
        await clock.waitForSleepers(count: 1)
        #expect(sleeps == [20])
        clock.advance(by: .seconds(10))
        let last = add(after: .seconds(20), to: deadlines) { passed.add(30) }
        clock.advance(by: .seconds(10))
        await waitUntil { sleeps == [30] }
        #expect(deadlines.remove(last))
        clock.advance(by: .seconds(10))
        _ = add(after: .seconds(5), to: deadlines) { passed.add(35) }
        await waitUntil { sleeps == [35] }
        clock.advance(by: .seconds(5))
        await waitUntil { passed.all == [35] }
    }

    @Test("Releasing the deadlines ends all sleeping tasks", arguments: [true, false])
    func release(isShared: Bool) async {
        var deadlines: CallDeadlines? = CallDeadlines(on: AnyClock(clock), sharesSleeper: isShared)
        for second in 1...3 { _ = deadlines.map { add(after: .seconds(second), to: $0) {} } }
        await clock.waitForSleepers(count: isShared ? 1 : 3)
        deadlines = nil
        await waitUntil { sleeps.isEmpty }
    }

    @Test("On a custom clock, each deadline has a separate sleeping task that ends with its call")
    func visibility() async {
        let deadlines = CallDeadlines(on: AnyClock(clock))
        let numbers = [3, 1, 2].map { second in add(after: .seconds(second), to: deadlines) { passed.add(second) } }
        await clock.waitForSleepers(count: 3)
        #expect(sleeps == [1, 2, 3])
        #expect(deadlines.remove(numbers[2]))
        await waitUntil { sleeps == [1, 3] }
        clock.advance(by: .seconds(1))
        await waitUntil { passed.all == [1] && sleeps == [3] }
    }

    @Test("Deadlines pass in order of time under random additions and removals", arguments: [1, 2, 3] as [UInt64])
    func simulation(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let deadlines = deadlines()
        var model: [(number: Int, moment: Int, name: Int)] = []
        var (now, expected) = (0, [] as [Int])
        for name in 0..<600 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let moment = now + Int.random(in: 1..<60_000, using: &random)
                // The order of two simultaneous deadlines is unspecified.
                guard !model.contains(where: { $0.moment == moment }) else { continue }
                let number = add(after: .milliseconds(moment - now), to: deadlines) { passed.add(name) }
                model.append((number, moment, name))
            case 5..<8:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                #expect(deadlines.remove(model.remove(at: index).number))
            default:
                now += Int.random(in: 0..<5000, using: &random)
                let due = model.filter { $0.moment <= now }.sorted { $0.moment < $1.moment }.map(\.name)
                model.removeAll { $0.moment <= now }
                expected += due
                clock.advance(to: ManualClock.Instant(offset: .milliseconds(now)))
                await waitUntil { passed.all.count >= expected.count }
                #expect(passed.all == expected)
            }
        }
        #expect(expected.count > 50)
    }
}
