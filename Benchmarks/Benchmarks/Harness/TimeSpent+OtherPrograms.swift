import Foundation
import WaybillBenchmarking

extension TimeSpent {
    /// This moment, with the processor time of the ended programs that this one started, in steps of some
    /// milliseconds.
    static var byOtherPrograms: TimeSpent {
        var spent = tms()
        _ = times(&spent)
        return TimeSpent(processor: Double(spent.tms_cutime + spent.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
}
