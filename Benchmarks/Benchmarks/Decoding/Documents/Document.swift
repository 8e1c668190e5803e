import Foundation
import WaybillBenchmarking

extension Once<Data> {
    /// Documents that several cases read.
    static func timeline(_ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { TimelineDocument.data(keyOrder: keyOrder) }
    }

    /// Returns an envelope with `count` entities.
    static func envelope(of count: Int, _ keyOrder: JSONWriter.KeyOrder = .declared) -> Document {
        Document { EnvelopeDocument.data(of: count, keyOrder: keyOrder) }
    }
}
