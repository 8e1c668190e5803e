/// A string compared and hashed by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence: an "é" of one scalar equals an "é" of two, and the Kelvin sign equals
/// "K". To a server, these are different, so this type is used to compare identifiers in requests and responses.
package struct BytewiseString: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        text.withBytes { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes, copying them only if their storage is not contiguous.
    ///
    /// A loop over them takes a third of the time of a loop over `utf8`, which checks the storage for every byte.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }

    /// Whether another string has the same UTF-8 bytes; canonically equivalent strings can differ.
    ///
    /// Takes a fifth of the instructions of the generic method for `StringProtocol`.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
    }

    /// The string with A to Z lowercased and other characters unchanged.
    ///
    /// Used for protocol elements, because `lowercased()` maps the Kelvin sign to "k".
    @inlinable package var asciiLowercased: String {
        let isLowercase = withBytes { bytes in bytes.allSatisfy { $0.asciiLowercased == $0 } }
        return isLowercase ? self : String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}

extension StringProtocol {
    /// Whether another text has the same UTF-8 bytes; canonically equivalent texts can differ.
    @inlinable
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The text with A to Z lowercased and other characters unchanged.
    @inlinable package var asciiLowercased: String { String(self).asciiLowercased }
}

extension UInt8 {
    /// The byte, lowercased if it is an ASCII letter.
    @inlinable package var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
