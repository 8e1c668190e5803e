import Foundation
import WaybillJSON

/// The setup of the decoders of a case.
enum DecoderSetup {
    /// One decoder for all documents, with default settings.
    case plain
    /// A decoder for each document.
    case madeAfresh
    /// One decoder that converts keys from snake case and reads ISO 8601 dates.
    case strategies
}

extension Case {
    /// Creates a case for Foundation's decoder and this package's, on one document.
    static func decoding<Value: Decodable & Hashable & Sendable>(
        _ name: String,
        _ type: Value.Type,
        from document: Document,
        by setup: DecoderSetup = .plain,
        rounds: Int? = nil
    ) -> Case {
        Case(
            name,
            [
                Subject("JSONDecoder", decoding: document, by: foundation(type, setup)),
                Subject("WaybillJSONDecoder", decoding: document, by: waybill(type, setup)),
            ],
            rounds: rounds
        )
    }

    private static func foundation<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ setup: DecoderSetup
    ) -> @Sendable (Data) throws -> Value {
        if setup == .madeAfresh { return { try JSONDecoder().decode(type, from: $0) } }
        let decoder = JSONDecoder()
        if setup == .strategies {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
        }
        return { try decoder.decode(type, from: $0) }
    }

    private static func waybill<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ setup: DecoderSetup
    ) -> @Sendable (Data) throws -> Value {
        if setup == .madeAfresh { return { try WaybillJSONDecoder().decode(type, from: $0) } }
        var decoder = WaybillJSONDecoder()
        if setup == .strategies {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
        }
        return { [decoder] in try decoder.decode(type, from: $0) }
    }
}
