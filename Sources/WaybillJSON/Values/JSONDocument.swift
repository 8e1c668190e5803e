import WaybillSystem

/// A JSON value with the text that it was read from.
///
/// The text has what the value lacks: the spelling of numbers and strings, the order of members, and members whose
/// names are repeated or equal to another one for Swift, such as `é` in its two Unicode forms.
package struct JSONDocument: Sendable {
    /// The value.
    package let value: JSONValue

    /// The text that the value was read from; nil for a value without one.
    private let source: String?

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - source: the text that it was read from, without spaces around it; nil for a value without one.
    package init(_ value: JSONValue, source: String? = nil) {
        self.value = value
        self.source = source
    }

    /// Creates the array of documents.
    package init(elements: [JSONDocument]) {
        value = .array(elements.map(\.value))
        source =
            elements.contains { $0.hasSource } ? "[" + elements.map(\.text).joined(separator: ",") + "]" : nil
    }

    /// Whether it has the text that it was read from.
    package var hasSource: Bool { source != nil }

    /// The text of the value: the one that it was read from, or else the description of the value.
    package var text: String { source ?? value.description }

    /// Returns the document of another value: what is equal in both values keeps its bytes.
    ///
    /// - Parameter new: the other value.
    /// - Returns: the document of that value, without a source if this one has none.
    package func changed(to new: JSONValue) -> JSONDocument {
        guard let source else { return JSONDocument(new) }
        if value.isIdentical(to: new) { return JSONDocument(new, source: source) }
        var splice = JSONSplice(source)
        guard splice.write(value, as: new) else { return JSONDocument(new) }
        return JSONDocument(new, source: splice.text)
    }
}
