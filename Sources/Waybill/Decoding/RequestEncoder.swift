import Foundation

/// Anything that makes the bytes of a request's body from an `Encodable`.
///
/// `JSONEncoder` conforms. Another one stands in a type of one's own, with the type that its bytes have:
///
/// ```swift
/// struct PropertyList: RequestEncoder {
///     let contentType = "application/x-plist"
///
///     func encode<Value: Encodable>(_ value: Value) throws -> Data { try PropertyListEncoder().encode(value) }
/// }
/// ```
public protocol RequestEncoder: Sendable {
    /// The media type of what it writes.
    var contentType: String { get }

    /// Encodes a value, or throws; an `EncodingError` is told best.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: RequestEncoder {
    /// The type of JSON: `application/json`.
    public var contentType: String { "application/json" }
}
