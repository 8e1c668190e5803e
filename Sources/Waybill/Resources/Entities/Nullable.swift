/// A field that is absent, null or a value; an optional cannot distinguish the first two.
///
/// In a payload, an absent field is omitted, a null field is encoded as `null`, and any other field as its value:
///
/// ```swift
/// struct Patch: RequestContent {
///     var nickname: Nullable<String> = .absent
/// }
/// Patch(nickname: .null)      // {"nickname":null}
/// Patch(nickname: "Bo")       // {"nickname":"Bo"}
/// Patch()                     // {}
/// ```
///
/// The keyed container omits an absent field, so synthesized and custom implementations of `encode(to:)` both do. An
/// array has no keys, so an absent element is encoded as `null`.
public enum Nullable<Value> {
    /// The field is absent.
    case absent
    /// The field is `null`.
    case null
    /// The field has a value.
    case value(Value)

    /// Creates a field from an optional value.
    ///
    /// - Parameter value: the value; nil becomes ``null``.
    public init(_ value: Value?) { self = value.map(Self.value) ?? .null }

    /// The value; nil if the field is absent or null.
    public var wrapped: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Encodable where Value: Encodable {
    /// Encodes the value, or `null` without one.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .absent, .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension Nullable: Decodable where Value: Decodable {
    /// Decodes null or a value.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: any error thrown while decoding the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a field unless it is absent.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - key: the field's key.
    /// - Throws: any error thrown while encoding the value.
    public mutating func encode<Value: Encodable>(_ field: Nullable<Value>, forKey key: Key) throws {
        switch field {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a field; a missing key decodes as absent.
    ///
    /// - Parameters:
    ///   - type: the type of the field.
    ///   - key: the field's key.
    /// - Returns: the field.
    /// - Throws: any error thrown while decoding the value.
    public func decode<Value: Decodable>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(decode(Value.self, forKey: key))
    }
}

extension Nullable: ExpressibleByNilLiteral {
    /// Creates ``null`` from `nil`.
    ///
    /// - Parameter nilLiteral: the literal `nil`.
    public init(nilLiteral: ()) { self = .null }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self = .value(Value(unicodeScalarLiteral: value))
    }
}

extension Nullable: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Nullable: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Nullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Nullable: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Nullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Creates a value from a literal.
    ///
    /// - Parameter value: the literal's value.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}
