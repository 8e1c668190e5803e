/// An encoder of `Encodable` values into ``EncodedValue`` trees.
///
/// Booleans, numbers, strings, `Date`, `Decimal`, `Data`, `URL` and `UUID` values become leaves. Other types encode
/// themselves. If a key is encoded twice, the last value is kept at the position of the first. A type that encodes
/// nothing becomes an empty object.
///
/// The members of a dictionary are sorted by key, integers first and by value, so that equal values produce equal
/// trees. A `Set`, or a dictionary whose keys are neither strings, numbers nor `CodingKeyRepresentable`, has no
/// reliable order: it encodes itself as an array in an arbitrary order.
package struct ValueEncoder: Sendable {
    /// The treatment of an optional that is nil.
    ///
    /// A null that a value encodes explicitly is always ``EncodedValue/null``.
    package enum Nils: Sendable, Hashable {
        /// A nil property is left out, as in synthesized code. A nil element of an array is null.
        case omitted
        /// Nil is left out everywhere: properties, elements of arrays and values of dictionaries.
        case omittedEverywhere
        /// Nil is ``EncodedValue/null``.
        case null
    }

    /// The treatment of an optional that is nil.
    package var nils: Nils

    /// The `userInfo` of the encoder passed to the values.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether a key strategy changes dictionary keys that are not strings, such as enums.
    ///
    /// Foundation's encoder changes them. If this is `false`, the keys of all dictionaries are data.
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
    ///   one encoder, encodes a second single value, or is nested more than 512 levels deep, as an object that contains
    ///   itself would be.
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

    // Encoded through a container, because only there does an encoder apply its strategies to dates and data.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

// The values of a literal are erased only if they differ in type, which must not affect the output.
extension AnyEncodable: OptionalValue {
    var isNil: Bool { (value as? any OptionalValue)?.isNil ?? false }
}
