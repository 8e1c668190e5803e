import Foundation

/// A point in time, or the time between two, on the wall clock and on the processors.
struct TimeSpent: Sendable {
    /// Seconds on the wall clock.
    let wall: Double

    /// Processor seconds of all threads, which other programs disturb less.
    let processor: Double

    /// This moment, with the processor time of this program.
    static var byThisProgram: TimeSpent {
        var spent = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
        return TimeSpent(processor: Double(spent.tv_sec) + Double(spent.tv_nsec) / 1_000_000_000)
    }

    /// This moment, with the processor time of the ended programs that this one started, in steps of some
    /// milliseconds.
    static var byOtherPrograms: TimeSpent {
        var spent = tms()
        _ = times(&spent)
        return TimeSpent(processor: Double(spent.tms_cutime + spent.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    static func - (end: TimeSpent, start: TimeSpent) -> TimeSpent {
        TimeSpent(wall: end.wall - start.wall, processor: end.processor - start.processor)
    }

    private init(wall: Double = ProcessInfo.processInfo.systemUptime, processor: Double) {
        self.wall = wall
        self.processor = processor
    }
}
