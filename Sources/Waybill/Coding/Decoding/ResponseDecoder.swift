// Code that declares calls also sets strategies, and reads diagnoses.
@_exported import WaybillJSON
import WaybillSystem

/// Anything that makes a `Decodable` from the bytes of a response.
///
/// `WaybillJSONDecoder` and Foundation's decoders conform. Wrap any other one in a type of your own:
///
/// ```swift
/// struct YAML: ResponseDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
///         try YAMLDecoder().decode(type, from: data)
///     }
/// }
/// ```
///
/// Envelopes, metadata and pagination work with every decoder: with others than `WaybillJSONDecoder` they go through
/// `Decodable` alone.
public protocol ResponseDecoder: Sendable {
    /// Decodes a value from bytes; errors of type `DecodingError` get the best diagnosis.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}
extension WaybillJSONDecoder: ResponseDecoder {}

/// The JSON coders that Waybill uses unless others are declared.
package enum JSONDefaults {
    /// Dates are ISO 8601, with or without fractions of a second.
    package static let decoder: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// The same decoder with lone surrogates replaced, for bodies that no declared type reads: problems, redactions,
    /// and members that decide on the call.
    package static let lenientDecoder = decoder.replacingLoneSurrogates

    /// The same decoder, wrapped once for all calls.
    package static let responseDecoder: any ResponseDecoder = decoder

    /// Dates are ISO 8601 and UUIDs in lower case; keys are sorted, so that the same value always gives the same bytes.
    package static let encoder: WaybillJSONEncoder = {
        var encoder = WaybillJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601WithMilliseconds
        encoder.uuidEncodingStrategy = .lowercase
        return encoder
    }()

    /// The same encoder, for the bodies of requests.
    package static let requestEncoder = JSONRequestEncoder(encoder)
}
