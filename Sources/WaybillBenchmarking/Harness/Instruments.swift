import Foundation

/// The instruments of a measurement.
package struct Instruments: Sendable {
    /// The clock.
    package let now: @Sendable () -> TimeSpent

    /// The counting of allocations; nil if they are not measured.
    package let allocations: AllocationCounting?

    package init(
        now: @escaping @Sendable () -> TimeSpent = { .byThisProgram },
        allocations: AllocationCounting? = nil
    ) {
        self.now = now
        self.allocations = allocations
    }
}

/// The heap memory that a piece of work needs.
package struct Footprint: Sendable {
    /// The number of blocks that it allocates on a thread that has done it before.
    package let allocations: Double

    /// The peak of additional bytes, its result among them; nil if it cannot be known.
    ///
    /// It is measured on a thread that has not done the work before, so that memory that is kept for later counts.
    package let peak: Double?

    /// The number of bytes that remain after the result is freed, on the same thread; nil if it cannot be known.
    package let rest: Double?

    package init(allocations: Double, peak: Double?, rest: Double?) {
        self.allocations = allocations
        self.peak = peak
        self.rest = rest
    }
}

/// A function of the program that does a piece of work, as often as it needs, and measures its heap memory; it returns
/// nil if allocations cannot be counted on this machine.
///
/// Counting replaces the functions that allocate memory in the whole process. A library must not do that to the
/// programs that it is linked into, so the program that wants it supplies it.
package typealias AllocationCounting =
    @Sendable (_ work: @escaping @Sendable () throws -> Void) async throws -> Footprint?

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

    // Apple requires a reason for `systemUptime` in apps, which may be linked with this module.
    private static let origin = SuspendingClock.now
}
