import Foundation
import WaybillBenchmarking

extension Once<Data> {
    /// Returns the timeline, with its keys in the given order.
    static func timeline(_ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { TimelineDocument.data(keyOrder: keyOrder) }
    }

    /// Returns an envelope with `count` entities.
    static func envelope(of count: Int, _ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { EnvelopeDocument.data(of: count, keyOrder: keyOrder) }
    }
}

/// Public documents in a folder next to the package, measured if present.
enum Corpus {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    /// Returns a document, or nil if it is missing.
    static func document(_ name: String) -> Document? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.isReadableFile(atPath: file.path) else { return nil }
        return Document { try Data(contentsOf: file) }
    }
}
