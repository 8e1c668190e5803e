/// A type-erased clock whose time starts at zero.
///
/// It is a class because deadlines compare clocks by identity: an instant is valid only for its clock.
package final class AnyClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void
    private let restUntil: @Sendable (Duration) async throws -> Void

    /// Whether the clock is a system clock.
    package let isOfSystem: Bool

    /// Wraps a clock; its time starts at zero now.
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(for: $0) }
        restUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        isOfSystem = clock is ContinuousClock || clock is SuspendingClock
    }

    /// The time elapsed since the clock was created.
    package var now: Duration { elapsed() }

    /// Waits for a duration.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(for duration: Duration) async throws { try await rest(min(duration, Self.longestSleep)) }

    /// Waits until an instant, which may be in the past.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(until moment: Duration) async throws {
        try await restUntil(min(moment, now + Self.longestSleep))
    }

    /// About 30 years: the system clocks trap on durations that overflow 64 bits of nanoseconds.
    private static let longestSleep: Duration = .seconds(1_000_000_000)
}
