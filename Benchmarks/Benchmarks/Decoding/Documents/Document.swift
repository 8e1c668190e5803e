import Foundation
import WaybillBenchmarking

extension Once<Data> {
    /// Returns the timeline with its keys in an order.
    static func timeline(_ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { TimelineDocument.data(keyOrder: keyOrder) }
    }

    /// Returns an envelope with `count` entities.
    static func envelope(of count: Int, _ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { EnvelopeDocument.data(of: count, keyOrder: keyOrder) }
    }
}

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
