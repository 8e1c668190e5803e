import Foundation
import Waybill

/// What the samples have in common.
enum Sample {
    static let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    /// The error that the work throws.
    static func failure<Value>(_ work: () async throws(APIError) -> Value) async -> APIError? {
        do throws(APIError) {
            _ = try await work()
            return nil
        } catch {
            return error
        }
    }
}

/// Takes what samples print, so that it stays out of the tests' output.
func print(_ items: Any...) {}
