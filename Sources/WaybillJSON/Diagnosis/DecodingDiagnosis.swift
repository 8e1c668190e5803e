import WaybillSystem

/// A description of a `DecodingError` and its location in the document, formatted like a compiler diagnostic.
///
/// ```text
/// data[3].price (line 1, column 74): expected a number (Decimal), found the string "cheap"
///     …ok"}, {"id": 3, "price": "cheap", "tags": []}]}
///                               ^~~~~~~
/// ```
///
/// It exposes only part of the document: the excerpt, up to 32 characters of the invalid value, and names of keys. It
/// never contains the values of redacted keys.
package struct DecodingDiagnosis: Sendable, Hashable, CustomStringConvertible {
    /// A description of the expected and the actual value.
    package let summary: String

    /// The path to the value, such as `data[3].price`; empty for the whole document.
    package let path: String

    /// The position of the value or of the syntax error; nil if it cannot be located in the document.
    package let position: TextPosition?

    /// A line of the document, and a line that marks the location; empty if there is nothing to show.
    package let excerpt: [String]

    /// The existing key most similar to a missing one; nil if no key is missing or the object contains no similar key.
    package let nearestKey: String?

    /// Creates a diagnosis, reparsing the document to locate the error.
    ///
    /// Use it only for error handling: for each level of the path, it takes time linear in the size of the document.
    ///
    /// - Parameters:
    ///   - error: the decoder's error, with the path from the root of the document.
    ///   - document: the document, which need not be valid JSON.
    ///   - names: the keys whose values to hide, ignoring case, `_` and `-`.
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

    /// The path and the position, the summary, and the indented excerpt.
    package var description: String {
        var head = path
        if let position { head += path.isEmpty ? "\(position)" : " (\(position))" }
        return ([(head.isEmpty ? "" : head + ": ") + summary] + excerpt.map { "    " + $0 }).joined(separator: "\n")
    }
}

extension DecodingDiagnosis {
    /// Creates a diagnosis, reparsing the document or its available part.
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
    /// Whether the bytes begin at the value.
    fileprivate var isFromValue: Bool { fault == nil || beginsAtValue }
}

extension JSONText {
    /// Returns the ranges to hide in a part.
    ///
    /// All bytes before a value are hidden, as are all bytes around a fault between values, because their keys are
    /// unknown.
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
    /// Returns the part as text, including some of the preceding bytes, and the shift from data offsets to text
    /// offsets.
    func text(of part: JSONPart) -> (JSONText, shift: Int) {
        let lower = max(0, range.lowerBound - TextExcerpt.reach)
        let isCutBefore = lower > 0 || part.tracker.isCut
        var bytes = lower == 0 ? part.tracker.recent : []
        bytes += data.dropFirst(lower).prefix(range.lowerBound - lower)
        // Removes the remaining bytes of a truncated character.
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
    /// The error's context; nil for an unknown case.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// Returns the same error with a different context.
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

    /// Returns the same error with the first steps removed from its path.
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
