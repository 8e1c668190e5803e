import Foundation

/// The extent of tests that are too heavy to run whole each time.
public enum Thoroughness {
    /// Whether `WAYBILL_THOROUGH=1` is set: every case of every test is tried then.
    public static let isWhole = ProcessInfo.processInfo.environment["WAYBILL_THOROUGH"] == "1"

    /// Returns the number of repetitions of a test.
    ///
    /// - Parameters:
    ///   - all: the number if `WAYBILL_THOROUGH=1` is set.
    ///   - few: the number otherwise.
    public static func repetitions(_ all: Int, otherwise few: Int) -> Int { isWhole ? all : few }

    /// The distance of the places that a test tries: 1 if all are tried, otherwise 3, which meets each place of a word.
    public static let step = isWhole ? 1 : 3
}
