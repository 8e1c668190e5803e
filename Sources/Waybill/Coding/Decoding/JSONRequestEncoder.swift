#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Foundation's encoder as a ``RequestEncoder``.
///
/// `JSONEncoder` itself does not conform: each one in an app would have the members of the protocol.
package struct JSONRequestEncoder: RequestEncoder {
    /// The media type of JSON.
    package static let mediaType = "application/json"

    package let json: JSONEncoder

    package init(_ json: JSONEncoder) { self.json = json }

    package var contentType: String { Self.mediaType }

    package func encode<Value: Encodable>(_ value: Value) throws -> Data { try json.encode(value) }
}

extension RequestEncoder {
    /// The name of the encoder's type, for explanations.
    package var typeName: String { (self as? JSONRequestEncoder).map { "\(type(of: $0.json))" } ?? "\(type(of: self))" }
}
