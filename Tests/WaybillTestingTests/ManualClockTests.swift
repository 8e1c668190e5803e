import Foundation
import TestSupport
import Testing
import WaybillTesting

@Suite("Manual clocks", .inTurn, .safetyNet)
struct ManualClockTests {
    @Test("A manual clock wakes a sleeper at its deadline, and not before")
    func wakes() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(9))
        #expect(clock.deadlines == [.init(offset: .seconds(10))])
        clock.advance(by: .seconds(1))
        try await task.value
        #expect(clock.deadlines.isEmpty)
        #expect(clock.now.offset == .seconds(10))
    }

    @Test("A manual clock does not sleep until a past instant, and never moves backward")
    func passes() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        try await clock.sleep(for: .seconds(-1))
        clock.advance(by: .seconds(-1))
        clock.advance(to: .init(offset: .seconds(2)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("A manual clock steps from deadline to deadline in order")
    func steps() async throws {
        let clock = ManualClock()
        let pauses = [3, 1, 2].map(Duration.seconds)
        let tasks = pauses.map { pause in Task { try await clock.sleep(for: pause) } }
        await clock.waitForSleepers(count: 3)
        #expect(clock.deadlines.map(\.offset) == [1, 2, 3].map(Duration.seconds))
        for (index, sleeper) in [1, 2, 0].enumerated() {
            #expect(await clock.advanceToNextDeadline() == .seconds(1))
            try await tasks[sleeper].value
            #expect(clock.deadlines.count == 2 - index)
        }
    }

    @Test("A manual clock wakes several sleepers in one step")
    func wakesSeveral() async throws {
        let clock = ManualClock()
        let tasks = (1...100).map { second in Task { try await clock.sleep(for: .seconds(second)) } }
        await clock.waitForSleepers(count: 100)
        clock.advance(to: .init(offset: .seconds(99)))
        for task in tasks.dropLast() { try await task.value }
        #expect(clock.deadlines.count == 1)
        clock.advance(by: .seconds(1))
        try await tasks[99].value
    }

    @Test("A sleep on a manual clock throws if it is cancelled before or while sleeping")
    func cancels() async {
        let clock = ManualClock()
        let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(count: 1)
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(clock.deadlines.isEmpty)

        let gate = Gate()
        let early = Task {
            await gate.waitUntilOpen()
            try await clock.sleep(for: .seconds(1))
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test("A manual clock stops waiting for sleepers if the waiting task is cancelled")
    func stopsWaiting() async {
        let clock = ManualClock()
        let task = Task { await clock.advanceToNextDeadline() }
        task.cancel()
        #expect(await task.value == .zero)
    }

    @Test("A manual clock works with code that is generic over clocks")
    func servesGenericCode() async throws {
        func elapsed(_ clock: some Clock<Duration>) async throws -> Duration {
            try await clock.measure { try await clock.sleep(for: .milliseconds(1500)) }
        }
        let clock = ManualClock()
        async let duration = elapsed(clock)
        await clock.advanceToNextDeadline()
        #expect(try await duration == .milliseconds(1500))
    }
}
