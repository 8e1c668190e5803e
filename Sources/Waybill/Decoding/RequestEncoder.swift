import Foundation

/// Anything that makes the bytes of a request's body from an `Encodable`.
///
/// `JSONEncoder` conforms. Another one conforms with its method and the type that its bytes have:
///
/// ```swift
/// extension PropertyListEncoder: RequestEncoder {
///     public var contentType: String { "application/x-plist" }
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
