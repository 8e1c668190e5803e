import Foundation

/// A directory that is removed when its last reference is released.
package final class TemporaryDirectory: Sendable {
    package let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("waybill-\(UInt64.random(in: .min ... .max))")

    package init() {}

    /// Creates a file with the given bytes in the directory.
    package func file(_ bytes: Data) throws -> URL {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let file = url.appendingPathComponent("file")
        try bytes.write(to: file)
        return file
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
