import Foundation
import Waybill

/// The helpers of the samples.
nonisolated enum Sample {
    static let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    /// Returns the error that the work throws; nil if it succeeds.
    static func failure<Value>(_ work: () async throws(APIError) -> Value) async -> APIError? {
        do throws(APIError) {
            _ = try await work()
            return nil
        } catch {
            return error
        }
    }
}

/// Replaces `print` for the samples, so that their texts stay out of the tests' output.
nonisolated func print(_ items: Any...) {}
