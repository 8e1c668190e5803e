import Foundation

/// A folder removed when it is deallocated.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("waybill-store-\(UInt64.random(in: .min ... .max))")

    deinit { try? FileManager.default.removeItem(at: url) }
}
