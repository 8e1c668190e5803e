import Foundation

/// Anything that makes a `Decodable` from the bytes of a response.
///
/// `WaybillJSONDecoder` and Foundation's decoders conform. Another one stands in a type of one's own:
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
    /// Decodes a value from bytes, or throws; a `DecodingError` is told best.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}
