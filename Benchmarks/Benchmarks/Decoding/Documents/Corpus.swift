import Foundation

/// Public documents beside the package, for those who have them; they are no part of it.
enum Corpus {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    /// A document; nil where it is not there.
    static func document(_ name: String) -> Document? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.isReadableFile(atPath: file.path) else { return nil }
        return Document { try Data(contentsOf: file) }
    }
}
