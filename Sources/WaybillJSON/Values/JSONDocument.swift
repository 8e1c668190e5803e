import WaybillSystem

/// A JSON value together with its source text.
///
/// The text preserves what the value loses: the spelling of numbers and strings, the order of members, and members
/// whose names are repeated or compare equal in Swift, such as the two Unicode forms of `é`.
package struct JSONDocument: Sendable {
    /// The value.
    package let value: JSONValue

    /// The text that the value was parsed from, if any.
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

    /// Creates a document for an array of documents, keeping their source texts.
    package init(elements: [JSONDocument]) {
        value = .array(elements.map(\.value))
        source =
            elements.contains { $0.hasSource } ? "[" + elements.map(\.text).joined(separator: ",") + "]" : nil
    }

    /// Whether the source text is available.
    package var hasSource: Bool { source != nil }

    /// The source text, or the value's description without one.
    package var text: String { source ?? value.description }

    /// Returns a document for a new value, preserving the bytes of unchanged parts.
    ///
    /// - Parameter new: the new value.
    /// - Returns: the document for the new value, without source text if this document has none or its text does not
    ///   match its value.
    package func changed(to new: JSONValue) -> JSONDocument {
        guard let source else { return JSONDocument(new) }
        if value.isIdentical(to: new) { return JSONDocument(new, source: source) }
        var splice = JSONSplice(source)
        guard splice.write(value, as: new) else { return JSONDocument(new) }
        return JSONDocument(new, source: splice.text)
    }
}
