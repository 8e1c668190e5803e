import WaybillJSON
import WaybillSystem

/// The JSON coders that Waybill uses unless others are declared.
package enum JSONDefaults {
    /// Dates are ISO 8601, with or without fractions of a second.
    package static let decoder: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// The same decoder, wrapped once for all calls.
    package static let responseDecoder: any ResponseDecoder = decoder

    /// Dates are ISO 8601; keys are sorted, so that the same value always gives the same bytes.
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .waybillISO8601
        return encoder
    }()

    /// The same encoder, which writes UUIDs in lower case.
    package static let requestEncoder = JSONRequestEncoder(encoder, lowercasesUUIDs: true)
}
