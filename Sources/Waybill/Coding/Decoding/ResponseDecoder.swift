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
