import WaybillSystem

/// Anything that makes the bytes of a request's body from an `Encodable`.
///
/// ``Encode`` takes a `JSONEncoder` as it is. Wrap any other one in a type of your own, with the media type of its
/// bytes:
///
/// ```swift
/// struct PropertyList: RequestEncoder {
///     let contentType = "application/x-plist"
///
///     func encode<Value: Encodable>(_ value: Value) throws -> Data { try PropertyListEncoder().encode(value) }
/// }
/// ```
public protocol RequestEncoder: Sendable {
    /// The media type of its output.
    var contentType: String { get }

    /// Encodes a value; errors of type `EncodingError` get the best diagnosis.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}
