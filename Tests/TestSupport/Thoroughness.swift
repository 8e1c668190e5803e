import Foundation
import Testing

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

    /// Returns the cases of a test.
    ///
    /// - Parameters:
    ///   - all: the cases if `WAYBILL_THOROUGH=1` is set.
    ///   - count: of as many cases one is tried otherwise, from the first on. A number that has no divisor in common
    ///     with those of the cases' own dimensions has something of each.
    public static func some<Cases: Collection>(_ all: Cases, oneIn count: Int) -> [Cases.Element] {
        isWhole ? Array(all) : all.enumerated().filter { $0.offset.isMultiple(of: count) }.map(\.element)
    }

    /// The distance of the places that a test tries: 1 if all are tried, otherwise 3, which meets each place of a word.
    public static let step = isWhole ? 1 : 3
}

extension Trait where Self == ConditionTrait {
    /// A condition for tests that are only run if `WAYBILL_THOROUGH=1` is set.
    public static var thorough: Self { .enabled(if: Thoroughness.isWhole, "a thorough run has it: WAYBILL_THOROUGH=1") }
}
