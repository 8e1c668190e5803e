import Foundation
import Testing

/// The share of the cases of heavy tests that run.
public enum Thoroughness {
    /// Whether `WAYBILL_THOROUGH=1` is set, so that every case of every test runs.
    public static let isWhole = ProcessInfo.processInfo.environment["WAYBILL_THOROUGH"] == "1"

    /// Returns how often to repeat a test.
    ///
    /// - Parameters:
    ///   - all: the number of repetitions if `WAYBILL_THOROUGH=1` is set.
    ///   - few: the number of repetitions otherwise.
    public static func repetitions(_ all: Int, otherwise few: Int) -> Int { isWhole ? all : few }

    /// Returns the cases of a test to run.
    ///
    /// - Parameters:
    ///   - all: the cases to run if `WAYBILL_THOROUGH=1` is set.
    ///   - count: otherwise, one of every `count` cases runs, starting with the first. For a product of several
    ///     dimensions, a number coprime to their sizes still covers every value of each dimension.
    public static func some<Cases: Collection>(_ all: Cases, oneIn count: Int) -> [Cases.Element] {
        isWhole ? Array(all) : all.enumerated().filter { $0.offset.isMultiple(of: count) }.map(\.element)
    }

    /// The distance between the offsets that a test tries: 1 to try all, otherwise 3, which covers every offset in a
    /// word.
    public static let step = isWhole ? 1 : 3
}

extension Trait where Self == ConditionTrait {
    /// A condition for tests that run only if `WAYBILL_THOROUGH=1` is set.
    public static var thorough: Self { .enabled(if: Thoroughness.isWhole, "a thorough run has it: WAYBILL_THOROUGH=1") }
}
