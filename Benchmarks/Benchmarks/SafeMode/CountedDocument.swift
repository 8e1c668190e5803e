import Foundation
import Waybill
import WaybillBenchmarking

/// A document and the type of its value, for ``CountedTask``.
struct CountedDocument: Sendable {
    let name: String
    let bytes: Document

    /// A function that repeats some work and returns the last encoded document; nil for decoding.
    let perform: @Sendable (CountedTask.Work, _ times: Int, _ bytes: Data) throws -> Data?

    private init<Value: Codable & Sendable>(_ name: String, _ type: Value.Type, from bytes: Document) {
        self.name = name
        self.bytes = bytes
        perform = { work, times, bytes in
            let (decoder, encoder) = (WaybillJSONDecoder(), WaybillJSONEncoder())
            switch work {
            case .decoding:
                for _ in 0..<times { _ = try decoder.decode(type, from: bytes) }
                return nil
            case .encoding:
                let value = try decoder.decode(type, from: bytes)
                var encoded: Data?
                for _ in 0..<times { encoded = try encoder.encode(value) }
                return encoded
            }
        }
    }

    /// Documents of the `decoding` suite, and one from the ``Corpus`` if available.
    static var all: [CountedDocument] {
        let corpus = Corpus.document("twitter_timeline.json").map {
            CountedDocument("corpus twitter_timeline.json", [Status].self, from: $0)
        }
        return [
            CountedDocument("timeline, full models", Timeline.self, from: .timeline()),
            CountedDocument("catalogue", Catalogue.self, from: Document { CatalogueDocument.data() }),
            CountedDocument("geometry", FeatureCollection.self, from: Document { GeometryDocument.data() }),
            CountedDocument("events", [RepositoryEvent].self, from: Document { EventsDocument.data() }),
            CountedDocument("envelope of 10,000", Enveloped<[Article]>.self, from: .envelope(of: 10_000)),
            CountedDocument("small envelope", Enveloped<[Article]>.self, from: .envelope(of: 2)),
        ] + (corpus.map { [$0] } ?? [])
    }
}
