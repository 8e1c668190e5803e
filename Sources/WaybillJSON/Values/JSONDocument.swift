import WaybillSystem

/// A JSON value together with its source text.
///
/// The text preserves what the value loses: the spelling of numbers and strings, the order of members, and members
/// whose names are repeated or are equal as Swift strings, such as the two Unicode forms of `é`.
package struct JSONDocument: Sendable {
    /// The value.
    package let value: JSONValue

    /// The text that the value was parsed from; nil for a value without a source.
    private let source: String?

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - source: the text that the value was parsed from, without surrounding whitespace, or nil.
    package init(_ value: JSONValue, source: String? = nil) {
        self.value = value
        self.source = source
    }

    /// Creates the array of these documents.
    package init(elements: [JSONDocument]) {
        value = .array(elements.map(\.value))
        source =
            elements.contains { $0.hasSource } ? "[" + elements.map(\.text).joined(separator: ",") + "]" : nil
    }

    /// Whether the document has its source text.
    package var hasSource: Bool { source != nil }

    /// The JSON text of the value: its source text, or the description of the value.
    package var text: String { source ?? value.description }

    /// Returns a document for another value, keeping the bytes of everything that did not change.
    ///
    /// - Parameter new: the new value.
    /// - Returns: the document of the new value; it has no source text if this document has none.
    package func changed(to new: JSONValue) -> JSONDocument {
        guard let source else { return JSONDocument(new) }
        if value.isIdentical(to: new) { return JSONDocument(new, source: source) }
        var splice = JSONSplice(source)
        guard splice.write(value, as: new) else { return JSONDocument(new) }
        return JSONDocument(new, source: splice.text)
    }
}
