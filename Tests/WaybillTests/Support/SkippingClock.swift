import Foundation
import Waybill

/// A clock on which every sleep ends at once, and its time has passed.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock.
final class SkippingClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        var offset = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var moment = Instant()
    private var slept: [Swift.Duration] = []

    var now: Instant { lock.withLock { moment } }
    var minimumResolution: Swift.Duration { .zero }

    /// The durations of all sleeps.
    var sleeps: [Swift.Duration] { lock.withLock { slept } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        lock.withLock {
            slept.append(moment.duration(to: deadline))
            moment = max(moment, deadline)
        }
    }
}
