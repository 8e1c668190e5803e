import Foundation
import Waybill
import WaybillBenchmarking

extension Suite {
    /// The values in the decoding suite's documents, encoded.
    static let encoding = Suite(
        name: "encoding",
        summary: "Codable models into JSON documents",
        rounds: 15,
        report: {
            let names = EncodingCase.documents.map(\.name)
            let means = Speedup.means($0, of: names)
            return Table.text(decoding: $0, of: "case", means: means) + "\n\n" + encodingLegend
        },
        warnings: { NoiseWarnings.all($0, of: [.processorMilliseconds], minimumRounds: $1) },
        cases: { options in
            var cases: [Case] = []
            for each in EncodingCase.documents + EncodingCase.settings {
                // Generates a document only if it is measured.
                let isSelected = EncodingCase.subjects.contains { options.selects("encoding \(each.name) \($0)") }
                if isSelected { cases.append(try await each.make()) }
            }
            return cases
        }
    )

    private static let encodingLegend = """
        Times as fast: as Foundation, by the medians, first of the time on processors and then of the wall clock.
        Freeing documents is not measured. Allocations are those of a later encoding, with those of the document. The
        peak is the growth of the heap during the first one of a thread; kept is the part that remains after the
        document is freed.
        """
}

/// A value to encode with both encoders.
struct EncodingCase: Sendable {
    static let subjects = ["JSONEncoder", "WaybillJSONEncoder"]

    let name: String
    let make: @Sendable () async throws -> Case

    /// The values in the documents that count toward the decoding mean.
    static var documents: [EncodingCase] {
        let timeline = Document.timeline()
        return [
            EncodingCase("timeline, full models", Timeline.self, from: timeline),
            EncodingCase("timeline, five fields", BriefTimeline.self, from: timeline),
            EncodingCase("catalogue", Catalogue.self, from: Document { CatalogueDocument.data() }),
            EncodingCase("geometry", FeatureCollection.self, from: Document { GeometryDocument.data() }),
            EncodingCase("events", [RepositoryEvent].self, from: Document { EventsDocument.data() }),
            EncodingCase("envelope of 10,000", Enveloped<[Article]>.self, from: .envelope(of: 10_000)),
            EncodingCase("small envelope", Enveloped<[Article]>.self, from: .envelope(of: 2)),
        ]
    }

    /// Values encoded with other settings, and one flat entity.
    static var settings: [EncodingCase] {
        [
            EncodingCase("flat entity", Account.self, from: Document { Data(account.utf8) }),
            EncodingCase("envelope, sorted keys", Enveloped<[Article]>.self, from: .envelope(of: 10_000)) {
                $0.outputFormatting = .sortedKeys
            } waybill: {
                $0.outputFormatting = .sortedKeys
            },
            EncodingCase("envelope, sorted keys and lines", Enveloped<[Article]>.self, from: .envelope(of: 10_000)) {
                $0.outputFormatting = [.sortedKeys, .prettyPrinted]
            } waybill: {
                $0.outputFormatting = [.sortedKeys, .prettyPrinted]
            },
            EncodingCase(
                "envelope, snake case and dates",
                DatedEnvelope.self,
                from: .envelope(of: 10_000),
                by: .snakeCaseAndDates
            ) {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .iso8601
            } waybill: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .iso8601
            },
        ]
    }

    private static let account = """
        {"id":1,"url":"https://api.example.com/users/ada","gravatar_id":"","type":"User","login":"ada",\
        "gists_url":"https://api.example.com/users/ada/gists","avatar_url":"https://avatars.example.com/u/1",\
        "subscriptions_url":"https://api.example.com/users/ada/subscriptions",\
        "organizations_url":"https://api.example.com/users/ada/orgs",\
        "received_events_url":"https://api.example.com/users/ada/received_events",\
        "repos_url":"https://api.example.com/users/ada/repos",\
        "starred_url":"https://api.example.com/users/ada/starred",\
        "events_url":"https://api.example.com/users/ada/events",\
        "followers_url":"https://api.example.com/users/ada/followers",\
        "following_url":"https://api.example.com/users/ada/following"}
        """

    private init<Value: Codable & Hashable & Sendable>(
        _ name: String,
        _ type: Value.Type,
        from document: Document,
        by decoder: WaybillJSONDecoder = WaybillJSONDecoder(),
        _ foundation: @escaping @Sendable (JSONEncoder) -> Void = { _ in },
        waybill: @escaping @Sendable (inout WaybillJSONEncoder) -> Void = { _ in }
    ) {
        self.name = name
        make = {
            let value = try decoder.decode(type, from: try await document.value)
            let foundations = JSONEncoder()
            foundation(foundations)
            var ours = WaybillJSONEncoder()
            waybill(&ours)
            let encode = ours.encode(_:) as @Sendable (Value) throws -> Data
            return Case(
                name,
                [
                    .encoding(Self.subjects[0], value, decoder) { try foundations.encode($0) },
                    .encoding(Self.subjects[1], value, decoder, by: encode),
                ]
            )
        }
    }
}

extension Subject {
    /// Returns a subject that repeatedly encodes a value; results are compared by decoding them.
    fileprivate static func encoding<Value: Codable & Hashable & Sendable>(
        _ name: String,
        _ value: Value,
        _ decoder: WaybillJSONDecoder,
        by encode: @escaping @Sendable (Value) throws -> Data
    ) -> Subject {
        // Throughput is computed from the size of this document.
        Subject(name, decoding: Document { try encode(value) }, with: .ofThisProgram) { _ in
            try encode(value)
        } outcome: {
            try decoder.decode(Value.self, from: $0)
        }
    }
}

extension WaybillJSONDecoder {
    fileprivate static let snakeCaseAndDates: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}
