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

    /// Whether UUIDs are written in lower case; an app's own encoder writes them as it does anywhere else.
    package let lowercasesUUIDs: Bool

    package init(_ json: JSONEncoder, lowercasesUUIDs: Bool) {
        self.json = json
        self.lowercasesUUIDs = lowercasesUUIDs
    }

    /// Returns an encoder with another one of Foundation's, and the same UUIDs.
    package func with(_ json: JSONEncoder) -> Self { Self(json, lowercasesUUIDs: lowercasesUUIDs) }

    package var contentType: String { Self.mediaType }

    /// Encodes a value.
    ///
    /// Foundation's encoder has no strategy for UUIDs. A body without any costs one look at its bytes; only one that
    /// may have some is encoded once more, by way of a tree that tells them from texts.
    package func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let bytes = try json.encode(value)
        guard lowercasesUUIDs, UUID.isUppercase(in: bytes) else { return bytes }
        return try json.encode(ValueEncoder(convertsOtherKeys: true).encode(value).withLowercaseUUIDs)
    }
}

extension RequestEncoder {
    /// The name of the encoder's type, for explanations.
    package var typeName: String { (self as? JSONRequestEncoder).map { "\(type(of: $0.json))" } ?? "\(type(of: self))" }
}
