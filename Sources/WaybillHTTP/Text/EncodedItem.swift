/// A percent-encoded item of a query or a form: a name and, after the first `=`, a value.
///
/// Parsing compares bytes rather than characters, so that a combining mark after a delimiter does not hide it.
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

    /// Creates an item from an unencoded name and value.
    package init(name: String, value: String) {
        self.init("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))")
    }

    /// Returns the items of a query or a form, separated by `&`.
    ///
    /// - Parameters:
    ///   - text: the query without its question mark, or the form.
    ///   - keepsEmpty: whether to include empty items, so that joining the texts restores the original.
    /// - Returns: the items, in order.
    package static func all(in text: some StringProtocol, keepingEmpty keepsEmpty: Bool = false) -> [EncodedItem] {
        Substring(text).utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: !keepsEmpty)
            .map { EncodedItem(Substring($0)) }
    }

    /// The decoded name.
    package var name: String { encodedName.percentDecoded }

    /// The decoded value; nil if the item has none.
    ///
    /// Plus signs are preserved, although they represent spaces in a form.
    package var value: String? { encodedValue?.percentDecoded }
}

extension [EncodedItem] {
    /// The items, joined into a query or a form.
    package var encodedText: String { map(\.text).joined(separator: "&") }

    /// The items in a stable order by their decoded names.
    package var sortedByName: [EncodedItem] {
        enumerated().map { (name: $1.name, offset: $0) }
            .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }
            .map { self[$0.offset] }
    }
}
