import Foundation
import Waybill

/// A clock on which whoever sleeps is awake at once, and the time has passed.
///
/// `@unchecked Sendable`: what changes is touched under the lock alone.
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

    /// How long was slept, each time.
    var sleeps: [Swift.Duration] { lock.withLock { slept } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        lock.withLock {
            slept.append(moment.duration(to: deadline))
            moment = max(moment, deadline)
        }
    }
}

extension Randomness {
    /// Chance that always has the fraction 0.5.
    static let half = Randomness { 1 << 63 }
}
