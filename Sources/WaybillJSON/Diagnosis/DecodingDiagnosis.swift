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

    /// A line of the document and a line of marks below the location; empty if there is nothing to show.
    package let excerpt: [String]

    /// The key that was probably meant, if one is missing and one that is there resembles it.
    package let nearestKey: String?

    /// Reads the document again to find the location of the error.
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

    /// The path and the position, the summary, and the excerpt indented below.
    package var description: String {
        var head = path
        if let position { head += path.isEmpty ? "\(position)" : " (\(position))" }
        return ([(head.isEmpty ? "" : head + ": ") + summary] + excerpt.map { "    " + $0 }).joined(separator: "\n")
    }
}

extension DecodingDiagnosis {
    /// Reads the document again, or as much of it as is at hand.
    init(error: DecodingError, in source: JSONSource, redacting names: Set<String> = []) {
        guard let part = source.part else {
            self.init(error: error, document: source.data, redacting: names)
            return
        }
        let (text, shift) = source.text(of: part)
        let path = error.codingPath
        let hidden = text.redactedRanges(ofKeys: names, inPartAt: path.prefix(part.pathLength), of: part)
        var finding: Finding
        switch part.fault {
        case .syntax(let error):
            let moved = JSONSyntaxError(offset: error.offset + shift, expected: error.expected, found: error.found)
            finding = Finding(moved, in: Finding.Document(text: text, hidden: hidden))
            finding.path = Array(path.prefix(part.pathLength))
        case .other(let summary, let place):
            finding = Finding(summary: summary, path: Array(path.prefix(part.pathLength)))
            finding.place = (place.lowerBound + shift)..<(place.upperBound + shift)
        case nil:
            finding = Finding(error.droppingPath(part.pathLength), in: text, hiding: hidden)
            finding.place = finding.place ?? text.start..<text.start
            finding.path = path.prefix(part.pathLength) + finding.path
        }
        let position = finding.place.map { place in
            part.position
                ?? source.data.withUnsafeBytes {
                    part.tracker.position(at: place.lowerBound - shift, in: $0.assumingMemoryBound(to: UInt8.self))
                }
        }
        let excerpt =
            part.isStandIn
            ? nil
            : (finding.shown ?? finding.place).flatMap { TextExcerpt(around: $0, of: text, hiding: hidden)?.lines }
        self.init(finding, at: position, showing: excerpt ?? [])
    }
}

extension JSONPart {
    /// Whether the bytes begin with the value.
    fileprivate var isFromValue: Bool { fault == nil || beginsAtValue }
}

extension JSONText {
    /// Returns the bytes of a part that must not be shown.
    ///
    /// The keys of the bytes before a value are not known there, nor are those of the bytes around a fault between
    /// values.
    fileprivate func redactedRanges(
        ofKeys names: Set<String>,
        inPartAt path: some Sequence<any CodingKey>,
        of part: JSONPart
    ) -> [Range<Int>] {
        guard !names.isEmpty else { return [] }
        let folded = Set(names.map(KeySpelling.folded))
        guard part.isFromValue, !path.contains(where: { folded.contains(KeySpelling.folded($0.stringValue)) }) else {
            return [0..<bytes.count]
        }
        let before = start > 0 ? [0..<start] : []
        return before + redactedRanges(ofKeys: names)
    }
}

extension JSONSource {
    /// Returns the part as a text of its own, with some of the bytes before it, and the shift of offsets.
    func text(of part: JSONPart) -> (JSONText, shift: Int) {
        let lower = max(0, range.lowerBound - TextExcerpt.reach)
        let isCutBefore = lower > 0 || part.tracker.isCut
        var bytes = lower == 0 ? part.tracker.recent : []
        bytes += data.dropFirst(lower).prefix(range.lowerBound - lower)
        // What is left of a character that was cut.
        if isCutBefore { bytes.removeFirst(bytes.prefix { $0 & 0xC0 == 0x80 }.count) }
        let start = bytes.count
        bytes += data.dropFirst(range.lowerBound).prefix(min(range.count, Self.readableByteCount))
        let next = data.dropFirst(range.upperBound).first
        let isCutAfter = isTruncated || next.map { $0 != 0x0A && $0 != 0x0D } ?? (part.fault == nil)
        let text = JSONText(
            bytes,
            from: part.isFromValue ? start : 0,
            isCut: (isCutBefore, isCutAfter),
            isTruncated: isTruncated
        )
        return (text, start - range.lowerBound)
    }
}

extension DecodingError {
    /// The path, the reason and the underlying error.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// Returns the same error with another context.
    func with(_ context: Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, _): .typeMismatch(type, context)
        case .valueNotFound(let type, _): .valueNotFound(type, context)
        case .keyNotFound(let key, _): .keyNotFound(key, context)
        case .dataCorrupted: .dataCorrupted(context)
        @unknown default: self
        }
    }

    fileprivate var codingPath: [any CodingKey] { context?.codingPath ?? [] }

    /// Returns the same error without the first steps of its path.
    fileprivate func droppingPath(_ steps: Int) -> DecodingError {
        guard let context else { return self }
        return with(
            Context(
                codingPath: Array(context.codingPath.dropFirst(steps)),
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        )
    }
}
