import Foundation

/// Public documents in a folder beside the package, which are measured if they are there.
enum Corpus {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    /// Returns a document; nil if it is not there.
    static func document(_ name: String) -> Document? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.isReadableFile(atPath: file.path) else { return nil }
        return Document { try Data(contentsOf: file) }
    }
}
