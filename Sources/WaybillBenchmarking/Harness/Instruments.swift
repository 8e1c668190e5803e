import Foundation

/// The instruments of a measurement.
package struct Instruments: Sendable {
    /// The clock.
    package let now: @Sendable () -> TimeSpent

    /// The counter of allocations; nil if they are not measured.
    package let allocations: AllocationCounting?

    package init(
        now: @escaping @Sendable () -> TimeSpent = { .byThisProgram },
        allocations: AllocationCounting? = nil
    ) {
        self.now = now
        self.allocations = allocations
    }
}

/// The heap allocations and memory that a piece of work uses.
package struct Footprint: Sendable {
    /// The number of blocks allocated on a thread that has done the work before.
    package let allocations: Double

    /// The peak of additional bytes, including the result; nil if unknown.
    ///
    /// Measured on a thread that has not done the work before, so memory kept for later use is included.
    package let peak: Double?

    /// The number of bytes that remain on the same thread after the result is freed; nil if unknown.
    package let rest: Double?

    package init(allocations: Double, peak: Double?, rest: Double?) {
        self.allocations = allocations
        self.peak = peak
        self.rest = rest
    }
}

/// A function that does a piece of work as often as necessary and measures its heap memory; it returns nil if
/// allocations cannot be counted on this machine.
///
/// Counting replaces the functions that allocate memory in the whole process. A library must not do that to the
/// programs that link it, so a program that needs the counts supplies the function.
package typealias AllocationCounting =
    @Sendable (_ work: @escaping @Sendable () throws -> Void) async throws -> Footprint?

/// A point in time or an interval, in wall-clock and processor time.
package struct TimeSpent: Sendable {
    /// Wall-clock time, in seconds.
    package let wall: Double

    /// Processor time of all threads, in seconds, which is less affected by other programs.
    package let processor: Double

    package init(wall: Double, processor: Double) {
        self.wall = wall
        self.processor = processor
    }

    /// Creates a value for the current moment, with the given processor time.
    package init(processor: Double) {
        self.init(wall: Self.origin.duration(to: .now) / .seconds(1), processor: processor)
    }

    /// The current moment, with the processor time of this program.
    package static var byThisProgram: TimeSpent {
        var spent = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
        return TimeSpent(processor: Double(spent.tv_sec) + Double(spent.tv_nsec) / 1_000_000_000)
    }

    package static func - (end: TimeSpent, start: TimeSpent) -> TimeSpent {
        TimeSpent(wall: end.wall - start.wall, processor: end.processor - start.processor)
    }

    // Not `systemUptime`: Apple requires apps, which may link this module, to declare a reason for using it.
    private static let origin = SuspendingClock.now
}
