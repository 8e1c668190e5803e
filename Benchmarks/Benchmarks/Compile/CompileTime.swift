import Foundation

/// A point in time, or the time between two, on the wall clock and on the processors.
struct CompileTime: Sendable {
    /// Seconds on the wall clock.
    let wall: Double

    /// Seconds that processes which this one started, and which have ended, spent on processors; in steps of some
    /// milliseconds.
    let processor: Double

    /// This moment.
    static var now: CompileTime {
        var spent = tms()
        _ = times(&spent)
        return CompileTime(
            wall: ProcessInfo.processInfo.systemUptime,
            processor: Double(spent.tms_cutime + spent.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK)))
        )
    }

    static func - (end: CompileTime, start: CompileTime) -> CompileTime {
        CompileTime(wall: end.wall - start.wall, processor: end.processor - start.processor)
    }
}
