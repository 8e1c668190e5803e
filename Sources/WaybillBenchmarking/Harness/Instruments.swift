import Foundation

/// The clock and the allocation counter of a measurement.
package struct Instruments: Sendable {
    /// The clock.
    package let now: @Sendable () -> TimeSpent

    /// The allocation counter; nil if allocations are not measured.
    package let allocations: AllocationCounting?

    package init(
        now: @escaping @Sendable () -> TimeSpent = { .now },
        allocations: AllocationCounting? = nil
    ) {
        self.now = now
        self.allocations = allocations
    }
}

/// The heap usage of a piece of work.
package struct Footprint: Sendable {
    /// The number of blocks allocated on a thread that has done the work before.
    package let allocations: Double

    /// The peak number of additional bytes, including the result; nil if unknown.
    ///
    /// Measured on a thread that has not done the work before, so it includes memory retained for reuse.
    package let peak: Double?

    /// The number of bytes retained on the same thread after the result is freed; nil if unknown.
    package let retained: Double?

    package init(allocations: Double, peak: Double?, retained: Double?) {
        self.allocations = allocations
        self.peak = peak
        self.retained = retained
    }
}

/// A function that repeats a piece of work as often as needed to measure its heap usage; it returns nil if allocations
/// cannot be counted on this machine.
///
/// Counting replaces the allocation functions of the whole process. A library must not do that to its clients, so a
/// program that needs the counts supplies this function.
package typealias AllocationCounting =
    @Sendable (_ work: @escaping @Sendable () throws -> Void) async throws -> Footprint?

/// A point in time or an interval, in wall-clock and processor time.
package struct TimeSpent: Sendable {
    /// Wall-clock time, in seconds.
    package let wall: Double

    /// Processor time of all threads, in seconds; less affected by other programs.
    package let processor: Double

    package init(wall: Double, processor: Double) {
        self.wall = wall
        self.processor = processor
    }

    /// Creates a value with the current wall-clock time and the given processor time.
    package init(processor: Double) {
        self.init(wall: Self.origin.duration(to: .now) / .seconds(1), processor: processor)
    }

    /// The current wall-clock time and this process's processor time.
    package static var now: TimeSpent {
        var spent = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
        return TimeSpent(processor: Double(spent.tv_sec) + Double(spent.tv_nsec) / 1_000_000_000)
    }

    package static func - (end: TimeSpent, start: TimeSpent) -> TimeSpent {
        TimeSpent(wall: end.wall - start.wall, processor: end.processor - start.processor)
    }

    // Not `systemUptime`, which Apple lists as a required-reason API, because apps may link this module.
    private static let origin = SuspendingClock.now
}
