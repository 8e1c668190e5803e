/// Encodes any `Encodable` value into an ``EncodedValue``.
///
/// Booleans, numbers, strings, `Date`, `Decimal`, `Data`, `URL` and `UUID` become leaves as they are; everything else
/// encodes itself. Of a key that is encoded twice, the last value counts, at the place of the first. A type that
/// encodes nothing at all is an empty object.
///
/// A dictionary's members are sorted by their keys, whole numbers first and by value, so that the same value always
/// gives the same tree. A `Set`, and a dictionary whose keys are neither strings nor numbers nor
/// `CodingKeyRepresentable`, has no order to be relied on and encodes itself as an array in whichever order it has.
package struct ValueEncoder: Sendable {
    /// The form of an optional that is nil.
    ///
    /// A null of another kind is ``EncodedValue/null`` in any case.
    package enum Nils: Sendable, Hashable {
        /// A property is left out, as the synthesized code means it; an element of an array is null.
        case omitted
        /// It is left out everywhere: properties, elements of arrays and values of dictionaries.
        case omittedEverywhere
        /// It is ``EncodedValue/null``.
        case null
    }

    /// The form of an optional property that is nil.
    package var nils: Nils

    /// The information that the values can read from their encoder.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether the keys of dictionaries other than strings, such as those of an enum, are names that a key strategy
    /// changes, as for Foundation's encoder; otherwise the keys of all dictionaries are data.
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
    /// - Throws: the value's own error; `EncodingError.invalidValue` if it asks for two kinds of container at once,
    ///   encodes a second single value, or is nested more than 512 levels deep, as an object that contains itself is.
    package func encode(_ value: some Encodable) throws -> EncodedValue {
        let session = EncodingSession(nils: nils, userInfo: userInfo)
        let root = EncodedNode()
        try session.encode(value, into: root, at: [])
        if let failure = session.failure { throw failure }
        return root.value(convertingOtherKeys: convertsOtherKeys)
    }
}

/// A type-erased value that can be encoded.
package struct AnyEncodable: Encodable, Sendable {
    private let value: any Encodable & Sendable

    /// Erases a value's type.
    package init(_ value: any Encodable & Sendable) { self.value = value }

    // Through a container, because only there does an encoder apply its strategies to a date or to data.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

// The values of a literal are erased only if they have several types, which decides nothing on what is sent.
extension AnyEncodable: OptionalValue {
    var isNil: Bool { (value as? any OptionalValue)?.isNil ?? false }
}
