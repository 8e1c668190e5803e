import Foundation

/// A clock whose time changes only when a test advances it, so that tests of time need no time.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(60)) }
/// await clock.waitForSleepers(count: 1)
/// clock.advance(by: .seconds(60))
/// try await task.value
/// ```
///
/// Sleepers are resumed in the order of their deadlines, and those of one deadline in the order in which they went to
/// sleep. They read the clock after the whole step: to let a task sleep repeatedly, step from deadline to deadline
/// (``advanceToNextDeadline()``).
public final class ManualClock: Clock, Sendable {
    /// A moment on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Swift.Duration

        /// Creates a moment from the time since the clock's start.
        public init(offset: Swift.Duration = .zero) { self.offset = offset }

        /// Returns the moment that is later by a duration.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this moment to another.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// Returns whether a moment is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        /// The sleeping tasks, in the order in which they began to sleep.
        var sleepers: [Sleeper] = []
    }

    private let state = Monitor(State())

    /// Creates a clock at its start.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { state.current.now }

    /// Zero: the clock distinguishes any two moments.
    public var minimumResolution: Swift.Duration { .zero }

    /// The deadlines of the tasks that sleep now, the earliest first.
    public var deadlines: [Instant] { state.current.sleepers.map(\.deadline).sorted() }

    /// Sleeps until the clock is moved to the deadline; returns at once if it has passed.
    ///
    /// - Parameters:
    ///   - deadline: the moment to wake at.
    ///   - tolerance: ignored; the clock wakes every task at its deadline.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let id = state.nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = state.update { state in
                    // A cancellation that comes after this question finds the sleeper in the list.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.update { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock and wakes the tasks whose deadline has come.
    ///
    /// - Parameter duration: the time to advance by; a negative one moves nothing.
    public func advance(by duration: Swift.Duration) {
        wake { $0.now.advanced(by: duration) }
    }

    /// Advances the clock to a moment and wakes the tasks whose deadline has come.
    ///
    /// - Parameter moment: the new time; one that has passed moves nothing.
    public func advance(to moment: Instant) {
        wake { _ in moment }
    }

    /// Waits until a task sleeps and moves the clock to the earliest deadline.
    ///
    /// - Returns: the duration by which the clock was moved; zero if the waiting task was cancelled.
    @discardableResult
    public func advanceToNextDeadline() async -> Swift.Duration {
        await waitForSleepers(count: 1)
        return wake { state in state.sleepers.map(\.deadline).min() ?? state.now }
    }

    /// Waits until several tasks sleep at the same time; returns early if the waiting task is cancelled.
    ///
    /// - Parameter count: the least number of sleeping tasks to return at.
    public func waitForSleepers(count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }

    @discardableResult
    private func wake(_ moment: @Sendable (State) -> Instant) -> Swift.Duration {
        let (distance, woken) = state.update { state in
            let target = max(state.now, moment(state))
            let distance = state.now.duration(to: target)
            state.now = target
            let due = state.sleepers.filter { $0.deadline <= target }
            state.sleepers.removeAll { $0.deadline <= target }
            return (
                distance,
                due.enumerated().sorted { ($0.element.deadline, $0.offset) < ($1.element.deadline, $1.offset) }
            )
        }
        for sleeper in woken { sleeper.element.continuation.resume() }
        return distance
    }
}
