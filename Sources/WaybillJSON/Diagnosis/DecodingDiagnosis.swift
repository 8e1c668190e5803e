import WaybillSystem

/// The diagnosis of a `DecodingError` in the document that could not be decoded, in the form of a compiler's.
///
/// ```text
/// data[3].price (line 1, column 74): expected a number (Decimal), found the string "cheap"
///     …ok"}, {"id": 3, "price": "cheap", "tags": []}]}
///                               ^~~~~~~
/// ```
///
/// Of the document it holds the excerpt, at most 32 characters of the value in question, and names of keys; the values
/// of keys that are to be redacted appear nowhere in it.
package struct DecodingDiagnosis: Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual value.
    package let summary: String

    /// The path of the value as text, such as `data[3].price`; empty for the whole document.
    package let path: String

    /// The position of the value, or of the syntax error; nil if the document does not show it.
    package let position: TextPosition?

    /// A line of the document and a line of marks below the place; empty if there is nothing to show.
    package let excerpt: [String]

    /// The key that was probably meant, if one is missing and one that is there resembles it.
    package let nearestKey: String?

    /// Reads the document again to find the place of the error.
    ///
    /// It is for the cold path: linear in the size of the document for each level of the path.
    ///
    /// - Parameters:
    ///   - error: the decoder's error, with the path from the top of the document.
    ///   - document: the document, which need not be JSON.
    ///   - names: the keys whose values must not be shown, without regard to case, `_` and `-`.
    package init(error: DecodingError, document: Data, redacting names: Set<String> = []) {
        let text = JSONText(document)
        let hidden = text.redactedRanges(ofKeys: names)
        let finding = Finding(error, in: text, hiding: hidden)
        self.init(
            finding,
            at: finding.place.map { text.position(ofByte: $0.lowerBound) },
            showing: (finding.shown ?? finding.place)
                .flatMap { TextExcerpt(around: $0, of: text, hiding: hidden)?.lines } ?? []
        )
    }

    init(_ finding: Finding, at position: TextPosition?, showing excerpt: [String]) {
        summary = finding.summary
        path = CodingPathText.text(of: finding.path)
        nearestKey = finding.nearestKey
        self.position = position
        self.excerpt = excerpt
    }

    /// Everything: path and place, the summary, and the excerpt indented below.
    package var description: String {
        var head = path
        if let position { head += path.isEmpty ? "\(position)" : " (\(position))" }
        return ([(head.isEmpty ? "" : head + ": ") + summary] + excerpt.map { "    " + $0 }).joined(separator: "\n")
    }
}
