import Foundation

/// A clock whose sleeps return at once and advance its time to their deadline.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock.
package final class SkippingClock: Clock, @unchecked Sendable {
    package struct Instant: InstantProtocol {
        package var offset = Duration.zero

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var moment = Instant()
    private var slept: [Duration] = []

    package init() {}

    package var now: Instant { lock.withLock { moment } }
    package var minimumResolution: Duration { .zero }

    /// The durations of all sleeps.
    package var sleeps: [Duration] { lock.withLock { slept } }

    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        lock.withLock {
            slept.append(moment.duration(to: deadline))
            moment = max(moment, deadline)
        }
    }
}
