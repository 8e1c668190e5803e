import Foundation
import Waybill
import WaybillBenchmarking

/// The setup of the decoders of a benchmark.
enum DecoderSetup {
    /// One decoder for all documents, with default settings.
    case plain
    /// A decoder for each document.
    case madeAfresh
    /// One decoder that converts keys from snake case and reads ISO 8601 dates.
    case strategies
}

extension DecodingBenchmark {
    /// Creates a benchmark of Foundation's decoder and this package's, on one document.
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

/// A decoder that is made anew for each document.
private struct FreshDecoder<Decoder: ResponseDecoder>: ResponseDecoder {
    private let make: @Sendable () -> Decoder

    init(_ make: @escaping @Sendable () -> Decoder) { self.make = make }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try make().decode(type, from: data)
    }
}
