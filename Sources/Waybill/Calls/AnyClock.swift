/// A type-erased clock, measured from its creation.
///
/// A class, because deadlines compare clocks by identity: a moment is valid on its own clock only.
package final class AnyClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void
    private let restUntil: @Sendable (Duration) async throws -> Void

    /// Whether it is a clock of the system.
    package let isOfSystem: Bool

    /// Begins now, on a clock.
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(for: $0) }
        restUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        isOfSystem = clock is ContinuousClock || clock is SuspendingClock
    }

    /// The time that has passed.
    package var now: Duration { elapsed() }

    /// Waits for a while.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func sleep(for duration: Duration) async throws { try await rest(min(duration, Self.longestSleep)) }

    /// Waits until a moment, which may have passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func sleep(until moment: Duration) async throws {
        try await restUntil(min(moment, now + Self.longestSleep))
    }

    /// Some 30 years; the clocks of the system crash the program at what 64 bits cannot count in nanoseconds.
    private static let longestSleep: Duration = .seconds(1_000_000_000)
}
