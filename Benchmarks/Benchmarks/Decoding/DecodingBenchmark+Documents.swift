import Foundation
import Waybill
import WaybillBenchmarking

extension DecodingBenchmark {
    /// One document of each shape; these documents count toward the mean.
    static var documents: [DecodingBenchmark] {
        let timeline = Document.timeline()
        return [
            .decoding("timeline, full models", Timeline.self, from: timeline),
            .decoding("timeline, five fields", BriefTimeline.self, from: timeline),
            .decoding("catalogue", Catalogue.self, from: Document { CatalogueDocument.data() }),
            .decoding("geometry", FeatureCollection.self, from: Document { GeometryDocument.data() }),
            .decoding("events", [RepositoryEvent].self, from: Document { EventsDocument.data() }),
            .decoding("envelope of 10,000", Enveloped<[Article]>.self, from: .envelope(of: 10_000)),
            .decoding("small envelope", Enveloped<[Article]>.self, from: .envelope(of: 2)),
        ]
    }

    /// The cost of creating a decoder.
    static var freshDecoder: [DecodingBenchmark] {
        [
            .decoding(
                "small envelope, fresh decoder",
                Enveloped<[Article]>.self,
                from: .envelope(of: 2),
                by: .madeAfresh
            )
        ]
    }

    /// Documents whose keys are not in the models' declaration order.
    static var keysInAnotherOrder: [DecodingBenchmark] {
        [
            .decoding("timeline, keys reordered by type", Timeline.self, from: .timeline(.perType)),
            .decoding("timeline, keys reordered by object", Timeline.self, from: .timeline(.perObject)),
            .decoding(
                "envelope, keys reordered by type",
                Enveloped<[Article]>.self,
                from: .envelope(of: 10_000, .perType)
            ),
            .decoding(
                "envelope, keys reordered by object",
                Enveloped<[Article]>.self,
                from: .envelope(of: 10_000, .perObject)
            ),
        ]
    }

    /// A document that requires key conversion and date parsing.
    static var strategies: [DecodingBenchmark] {
        [.decoding("envelope, snake case and dates", DatedEnvelope.self, from: .envelope(of: 10_000), by: .strategies)]
    }

    /// The ``Corpus`` documents available on this machine.
    static var corpus: [DecodingBenchmark] {
        func decoding<Value: Decodable & Hashable & Sendable>(_ name: String, _ type: Value.Type) -> DecodingBenchmark?
        {
            Corpus.document(name).map { .decoding("corpus \(name)", type, from: $0) }
        }
        return [
            decoding("twitter_timeline.json", [Status].self),
            decoding("citm_catalog.json", Catalogue.self),
            decoding("github_events.json", [RepositoryEvent].self),
            decoding("google_maps_api_response.json", DistanceMatrix.self),
        ].compactMap { $0 }
    }

    /// A document larger than any processor cache.
    static var large: [DecodingBenchmark] {
        [.decoding("envelope of 100 MB", Enveloped<[Article]>.self, from: .envelope(of: 335_000))]
    }
}

/// The decoder setup of a benchmark.
enum DecoderSetup {
    /// A reused decoder with default settings.
    case plain
    /// A new decoder for each decoding.
    case madeAfresh
    /// A reused decoder that converts keys from snake case and parses ISO 8601 dates.
    case strategies
}

extension DecodingBenchmark {
    /// Creates a benchmark that compares Foundation's decoder with Waybill's on one document.
    static func decoding<Value: Decodable & Hashable & Sendable>(
        _ name: String,
        _ type: Value.Type,
        from document: Document,
        by setup: DecoderSetup = .plain
    ) -> DecodingBenchmark {
        DecodingBenchmark(name, decoding: type, from: document, by: candidates(setup))
    }

    private static func candidates<Value: Decodable & Sendable>(_ setup: DecoderSetup) -> [Candidate<Value>] {
        switch setup {
        case .plain, .strategies:
            [.decoder("JSONDecoder", foundation(setup)), .decoder("WaybillJSONDecoder", waybill(setup))]
        case .madeAfresh:
            [
                .decoder("JSONDecoder", FreshDecoder { JSONDecoder() }),
                .decoder("WaybillJSONDecoder", FreshDecoder { WaybillJSONDecoder() }),
            ]
        }
    }

    private static func foundation(_ setup: DecoderSetup) -> JSONDecoder {
        let decoder = JSONDecoder()
        if setup == .strategies {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
        }
        return decoder
    }

    private static func waybill(_ setup: DecoderSetup) -> WaybillJSONDecoder {
        var decoder = WaybillJSONDecoder()
        if setup == .strategies {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
        }
        return decoder
    }
}

/// A wrapper that creates a new decoder for each decoding.
private struct FreshDecoder<Decoder: ResponseDecoder>: ResponseDecoder {
    private let make: @Sendable () -> Decoder

    init(_ make: @escaping @Sendable () -> Decoder) { self.make = make }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try make().decode(type, from: data)
    }
}
