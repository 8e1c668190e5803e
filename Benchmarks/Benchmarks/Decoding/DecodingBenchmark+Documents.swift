extension DecodingBenchmark {
    /// One document of each shape: those that count for the mean.
    static var documents: [DecodingBenchmark] {
        let timeline = Document.timeline()
        return [
            .decoding("timeline, full models", AnyClock.self, from: timeline),
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

    /// Documents whose keys are not in the order in which the models declare them.
    static var keysInAnotherOrder: [DecodingBenchmark] {
        [
            .decoding("timeline, keys reordered by type", AnyClock.self, from: .timeline(.perType)),
            .decoding("timeline, keys reordered by object", AnyClock.self, from: .timeline(.perObject)),
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

    /// A document with converted keys and dates.
    static var strategies: [DecodingBenchmark] {
        [.decoding("envelope, snake case and dates", DatedEnvelope.self, from: .envelope(of: 10_000), by: .strategies)]
    }

    /// The documents of the ``Corpus`` that are on this machine.
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

    /// A document that does not fit into any processor cache.
    static var large: [DecodingBenchmark] {
        [.decoding("envelope of 100 MB", Enveloped<[Article]>.self, from: .envelope(of: 335_000))]
    }
}
