import Foundation

/// The number of repetitions of tests that look for what happens rarely.
enum Thoroughness {
    /// Returns all repetitions where they are asked for (`WAYBILL_THOROUGH=1`), else a sixth of them.
    static func repetitions(_ count: Int) -> Int {
        ProcessInfo.processInfo.environment["WAYBILL_THOROUGH"] == "1" ? count : count / 6
    }
}
