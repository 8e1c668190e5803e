import Foundation

/// A directory that is gone with the value.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")

    /// A file in it, with these bytes.
    func file(_ bytes: Data) throws -> URL {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let file = url.appendingPathComponent("file")
        try bytes.write(to: file)
        return file
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
