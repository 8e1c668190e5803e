import Foundation

/// A point in time, or the time between two, on the wall clock and on the processors.
package struct TimeSpent: Sendable {
    /// Seconds on the wall clock.
    package let wall: Double

    /// Processor seconds of all threads, which other programs disturb less.
    package let processor: Double

    package init(wall: Double, processor: Double) {
        self.wall = wall
        self.processor = processor
    }

    /// Creates this moment, with a processor time.
    package init(processor: Double) {
        self.init(wall: Self.origin.duration(to: .now) / .seconds(1), processor: processor)
    }

    /// This moment, with the processor time of this program.
    package static var byThisProgram: TimeSpent {
        var spent = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
        return TimeSpent(processor: Double(spent.tv_sec) + Double(spent.tv_nsec) / 1_000_000_000)
    }

    package static func - (end: TimeSpent, start: TimeSpent) -> TimeSpent {
        TimeSpent(wall: end.wall - start.wall, processor: end.processor - start.processor)
    }

    // An app may be linked with this module for its previews, and Apple requires a reason for `systemUptime`.
    private static let origin = SuspendingClock.now
}
