import Foundation

/// A clock that advances to the next deadline as soon as all tasks sleep, so simulated waits take no time.
///
/// Once all tasks have slept, only one is awake at a time, and sleepers wake in deadline order. Runs are therefore
/// identical, provided that no two deadlines are equal.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock.
final class VirtualClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        var offset = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private var moment = Instant()
    /// The number of tasks that are awake or have not started.
    private var awake: Int
    /// The sleepers, as a binary heap in deadline order: the children of index i are at 2i + 1 and 2i + 2.
    private var sleepers: [Sleeper] = []

    /// Creates a clock for a number of tasks, each of which must call ``leave()`` when it ends.
    init(tasks: Int) { awake = tasks }

    var now: Instant { lock.withLock { moment } }
    var minimumResolution: Swift.Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        await withCheckedContinuation { continuation in
            let next = lock.withLock {
                push(Sleeper(deadline: deadline, continuation: continuation))
                return fallAsleep()
            }
            next?.resume()
        }
    }

    /// Removes the calling task, which is about to end.
    func leave() { lock.withLock { fallAsleep() }?.resume() }

    /// Counts a task as asleep, and returns the continuation to resume if no other task is awake.
    private func fallAsleep() -> CheckedContinuation<Void, Never>? {
        awake -= 1
        guard awake == 0, let next = pop() else { return nil }
        awake = 1
        moment = max(moment, next.deadline)
        return next.continuation
    }

    private func push(_ sleeper: Sleeper) {
        sleepers.append(sleeper)
        var place = sleepers.count - 1
        while place > 0, sleepers[place].deadline < sleepers[(place - 1) / 2].deadline {
            sleepers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private func pop() -> Sleeper? {
        guard let last = sleepers.popLast() else { return nil }
        guard let first = sleepers.first else { return last }
        sleepers[0] = last
        var place = 0
        while true {
            let children = (2 * place + 1)...(2 * place + 2)
            let earliest = children.filter(sleepers.indices.contains)
                .min { sleepers[$0].deadline < sleepers[$1].deadline }
            guard let earliest, sleepers[earliest].deadline < sleepers[place].deadline else { return first }
            sleepers.swapAt(place, earliest)
            place = earliest
        }
    }
}
