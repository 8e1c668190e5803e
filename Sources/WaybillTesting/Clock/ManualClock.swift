import Foundation

/// A clock that advances only when a test advances it, so tests of timing take no time.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(60)) }
/// await clock.waitForSleepers(count: 1)
/// clock.advance(by: .seconds(60))
/// try await task.value
/// ```
///
/// Sleepers wake in deadline order; ties are broken by the start of the sleep. They
/// wake only after the clock has advanced by the full duration. If a task sleeps repeatedly, advance from deadline to
/// deadline with ``advanceToNextDeadline()``.
public final class ManualClock: Clock, Sendable {
    /// An instant of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Swift.Duration

        /// Creates an instant from the time since the clock's start.
        ///
        /// - Parameter offset: the time since the clock's start.
        public init(offset: Swift.Duration = .zero) { self.offset = offset }

        /// Returns this instant, advanced by a duration.
        ///
        /// - Parameter duration: the duration; a negative one leads to an earlier instant.
        /// - Returns: the instant.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        ///
        /// - Parameter other: the other instant.
        /// - Returns: the duration; negative if the other instant is earlier.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// Returns whether an instant is before another.
        ///
        /// - Parameters:
        ///   - left: an instant.
        ///   - right: another instant.
        /// - Returns: whether the first instant is earlier.
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

    /// Creates a clock at offset zero.
    public init() {}

    /// The current instant.
    public var now: Instant { state.current.now }

    /// Zero: the clock distinguishes any two instants.
    public var minimumResolution: Swift.Duration { .zero }

    /// The deadlines of the sleeping tasks, in ascending order.
    public var deadlines: [Instant] { state.current.sleepers.map(\.deadline).sorted() }

    /// Sleeps until the clock reaches a deadline; returns immediately if the deadline has passed.
    ///
    /// - Parameters:
    ///   - deadline: the instant to wake at.
    ///   - tolerance: ignored; the clock wakes every task at its deadline.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let id = state.nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = state.update { state in
                    // A cancellation after this check will find the sleeper in the list.
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

    /// Advances the clock by a duration and wakes the tasks whose deadlines it reaches.
    ///
    /// - Parameter duration: the duration; a negative one does not move the clock.
    public func advance(by duration: Swift.Duration) {
        wake { $0.now.advanced(by: duration) }
    }

    /// Advances the clock to an instant and wakes the tasks whose deadlines it reaches.
    ///
    /// - Parameter moment: the instant; an earlier one does not move the clock.
    public func advance(to moment: Instant) {
        wake { _ in moment }
    }

    /// Waits until a task is sleeping, then advances the clock to the earliest deadline.
    ///
    /// - Returns: the duration the clock advanced by; zero if the waiting task was cancelled before any task slept.
    @discardableResult
    public func advanceToNextDeadline() async -> Swift.Duration {
        await waitForSleepers(count: 1)
        return wake { state in state.sleepers.map(\.deadline).min() ?? state.now }
    }

    /// Waits until at least `count` tasks are sleeping, or until the waiting task is cancelled.
    ///
    /// - Parameter count: the number of sleeping tasks to wait for.
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
