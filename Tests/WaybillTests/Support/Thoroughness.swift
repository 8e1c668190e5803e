import Foundation

/// The number of repetitions of tests for rare events.
enum Thoroughness {
    /// Returns all repetitions if `WAYBILL_THOROUGH=1` is set, otherwise a sixth of them.
    static func repetitions(_ count: Int) -> Int {
        ProcessInfo.processInfo.environment["WAYBILL_THOROUGH"] == "1" ? count : count / 6
    }
}
