/// Converts `Encodable` values to ``EncodedValue`` trees.
///
/// Booleans, numbers, strings, `Date`, `Decimal`, `Data`, `URL` and `UUID` values become leaves. Other types encode
/// themselves. If a key is encoded twice, the last value replaces the first one at the same position. A type that
/// encodes nothing becomes an empty object.
///
/// Dictionary members are sorted by key, with integers first in numeric order, so that equal values produce equal
/// trees. A `Set` encodes itself as an array in an arbitrary order, as does a dictionary whose keys are neither
/// `String` nor `Int` nor `CodingKeyRepresentable`.
package struct ValueEncoder: Sendable {
    /// The representation of nil optionals.
    ///
    /// An explicitly encoded null is always ``EncodedValue/null``.
    package enum Nils: Sendable, Hashable {
        /// A nil property is omitted, as in synthesized code. A nil array element is null.
        case omitted
        /// Nil is omitted everywhere: in properties, array elements and dictionary values.
        case omittedEverywhere
        /// Nil is ``EncodedValue/null``.
        case null
    }

    /// The representation of nil optionals.
    package var nils: Nils

    /// The `userInfo` of the encoder passed to the values.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether a key strategy converts dictionary keys that are not strings, such as enums.
    ///
    /// Foundation's encoder converts them. If false, the keys of all dictionaries are treated as data and remain
    /// unchanged.
    package var convertsOtherKeys: Bool

    /// Creates an encoder.
    package init(
        nils: Nils = .omitted,
        userInfo: [CodingUserInfoKey: any Sendable] = [:],
        convertsOtherKeys: Bool = false
    ) {
        self.nils = nils
        self.userInfo = userInfo
        self.convertsOtherKeys = convertsOtherKeys
    }

    /// Encodes a value.
    ///
    /// - Throws: the value's own error; `EncodingError.invalidValue` if the value requests two kinds of container from
    ///   one encoder, encodes a second single value, or is nested more than 512 levels deep, as with an object that
    ///   contains itself.
    package func encode(_ value: some Encodable) throws -> EncodedValue {
        let session = EncodingSession(nils: nils, userInfo: userInfo)
        let root = EncodedNode()
        try session.encode(value, into: root, at: [])
        if let failure = session.failure { throw failure }
        return root.value(convertingOtherKeys: convertsOtherKeys)
    }
}

/// A type-erased `Encodable` value.
package struct AnyEncodable: Encodable, Sendable {
    private let value: any Encodable & Sendable

    /// Creates a type-erased value.
    package init(_ value: any Encodable & Sendable) { self.value = value }

    // Encoders apply their date and data strategies only to values encoded through a container.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

// A literal's values are type-erased only if their types differ. This must not affect the encoding of nil.
extension AnyEncodable: OptionalValue {
    var isNil: Bool { (value as? any OptionalValue)?.isNil ?? false }
}
