// Exported because code that declares calls also uses coding strategies and diagnoses.
@_exported import WaybillJSON
import WaybillSystem

/// A type that decodes `Decodable` values from the bytes of a response.
///
/// `WaybillJSONDecoder` and Foundation's decoders conform. To use another decoder, wrap it in a type:
///
/// ```swift
/// struct YAML: ResponseDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
///         try YAMLDecoder().decode(type, from: data)
///     }
/// }
/// ```
///
/// Envelopes, metadata and pagination work with every decoder. Except with `WaybillJSONDecoder`, they rely only on
/// `Decodable`.
public protocol ResponseDecoder: Sendable {
    /// Decodes a value from bytes.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the bytes of the response or part of it.
    /// - Returns: the value.
    /// - Throws: an error if the bytes do not contain such a value. A `DecodingError` gives the most precise diagnosis.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}
extension WaybillJSONDecoder: ResponseDecoder {}

/// The default JSON coders.
package enum JSONDefaults {
    /// A decoder for ISO 8601 dates with or without fractional seconds.
    package static let decoder: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// The default decoder with lone surrogates replaced, for JSON without a declared type: problems, redactions, and
    /// members that determine a call's outcome.
    package static let lenientDecoder = decoder.replacingLoneSurrogates

    /// The default decoder as an existential, created only once.
    package static let responseDecoder: any ResponseDecoder = decoder

    /// An encoder with ISO 8601 dates, lowercase UUIDs and sorted keys, so that equal values produce equal bytes.
    package static let encoder: WaybillJSONEncoder = {
        var encoder = WaybillJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601WithMilliseconds
        encoder.uuidEncodingStrategy = .lowercase
        return encoder
    }()

    /// The default encoder for request bodies.
    package static let requestEncoder = JSONRequestEncoder(encoder)
}
