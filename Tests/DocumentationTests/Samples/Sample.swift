import Foundation
import Testing
import Waybill

/// Helpers for the samples.
nonisolated enum Sample {
    static let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    /// Returns the error thrown by the work, or nil if it succeeds.
    ///
    /// An error of another type fails the test.
    static func failure<Value>(_ work: () async throws -> Value) async -> APIError? {
        do {
            _ = try await work()
            return nil
        } catch let error as APIError {
            return error
        } catch {
            Issue.record(error, "not an APIError")
            return nil
        }
    }
}

/// Replaces `print` in the samples, to keep their text out of the test output.
nonisolated func print(_ items: Any...) {}
