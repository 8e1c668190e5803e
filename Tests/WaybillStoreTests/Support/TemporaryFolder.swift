import Foundation

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("waybill-store-\(UInt64.random(in: .min ... .max))")

    deinit { try? FileManager.default.removeItem(at: url) }
}
