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

/// Foundation's encoder as a ``RequestEncoder``.
///
/// `JSONEncoder` itself does not conform: each one in an app would have the members of the protocol.
package struct JSONRequestEncoder: RequestEncoder {
    /// The media type of JSON.
    package static let mediaType = "application/json"

    package let json: JSONEncoder

    /// Whether UUIDs are written in lower case; an app's own encoder writes them as it does anywhere else.
    package let lowercasesUUIDs: Bool

    /// Whether `Int64` and `UInt64` are written as strings.
    package let writesInt64AsText: Bool

    package init(_ json: JSONEncoder, lowercasesUUIDs: Bool, writesInt64AsText: Bool = false) {
        self.json = json
        self.lowercasesUUIDs = lowercasesUUIDs
        self.writesInt64AsText = writesInt64AsText
    }

    /// Returns an encoder with another one of Foundation's, and the same form of UUIDs and, unless given, of integers.
    package func with(_ json: JSONEncoder, writesInt64AsText: Bool? = nil) -> Self {
        Self(json, lowercasesUUIDs: lowercasesUUIDs, writesInt64AsText: writesInt64AsText ?? self.writesInt64AsText)
    }

    package var contentType: String { Self.mediaType }

    /// Encodes a value.
    ///
    /// Foundation's encoder has no strategy for UUIDs, nor for integers. A body without any UUID costs one look at its
    /// bytes; only one that may have some is encoded once more, by way of a tree that tells them from texts.
    package func encode<Value: Encodable>(_ value: Value) throws -> Data {
        if writesInt64AsText {
            let tree = try ValueEncoder(userInfo: json.userInfo, convertsOtherKeys: true).encode(value).withInt64Texts
            return try json.encode(lowercasesUUIDs ? tree.withLowercaseUUIDs : tree)
        }
        let bytes = try json.encode(value)
        guard lowercasesUUIDs, UUID.isUppercase(in: bytes) else { return bytes }
        return try json.encode(ValueEncoder(convertsOtherKeys: true).encode(value).withLowercaseUUIDs)
    }
}

extension EncodedValue {
    /// The value with its integers of 64 bits as texts.
    fileprivate var withInt64Texts: EncodedValue {
        switch self {
        case .object(let members): .object(members.map { ($0.key, $0.value.withInt64Texts) })
        case .dictionary(let members): .dictionary(members.map { ($0.key, $0.value.withInt64Texts) })
        case .array(let elements): .array(elements.map(\.withInt64Texts))
        case .leaf(let number as Int64): .leaf("\(number)")
        case .leaf(let number as UInt64): .leaf("\(number)")
        case .null, .leaf: self
        }
    }
}

extension RequestEncoder {
    /// The name of the encoder's type, for explanations.
    package var typeName: String { (self as? JSONRequestEncoder).map { "\(type(of: $0.json))" } ?? "\(type(of: self))" }
}
