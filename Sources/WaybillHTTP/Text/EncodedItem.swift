/// An item of a query or a form as it is sent: a percent-encoded name and, after the first `=`, a value.
///
/// Bytes rather than characters are compared, so a combining mark after a delimiter does not hide it.
package struct EncodedItem: Sendable {
    /// The complete item.
    package let text: Substring

    /// The text before the first `=`, or the complete item if it has none.
    package let encodedName: Substring

    /// The text after the first `=`; nil if the item has none.
    package let encodedValue: Substring?

    /// Creates an item from its text.
    package init(_ text: Substring) {
        self.text = text
        let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
        encodedName = text[..<(equals ?? text.endIndex)]
        encodedValue = equals.map { text[text.utf8.index(after: $0)...] }
    }

    /// Creates an item from a name and a value that are not encoded.
    package init(name: String, value: String) {
        self.init("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))")
    }

    /// Returns the items of a query or a form, which `&` separates.
    ///
    /// - Parameters:
    ///   - text: the query without its question mark, or the form.
    ///   - keepsEmpty: whether to return empty items too, so that joining the texts restores the original.
    /// - Returns: the items, in order.
    package static func all(in text: some StringProtocol, keepingEmpty keepsEmpty: Bool = false) -> [EncodedItem] {
        Substring(text).utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: !keepsEmpty)
            .map { EncodedItem(Substring($0)) }
    }

    /// The decoded name.
    package var name: String { encodedName.percentDecoded }

    /// The decoded value; nil if the item has none.
    ///
    /// A plus sign is kept, although it stands for a space in a form.
    package var value: String? { encodedValue?.percentDecoded }
}

extension [EncodedItem] {
    /// The query or form that consists of the items.
    package var encodedText: String { map(\.text).joined(separator: "&") }

    /// The items sorted by their decoded names; those with the same name keep their order.
    package var sortedByName: [EncodedItem] {
        enumerated().map { (name: $1.name, offset: $0) }
            .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }
            .map { self[$0.offset] }
    }
}
