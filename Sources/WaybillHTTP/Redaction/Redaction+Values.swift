import WaybillSystem

extension Redaction {
    /// Removes values from a text, including escaped occurrences.
    ///
    /// Linear in the text's length, except for matches and near matches.
    ///
    /// - Parameters:
    ///   - values: the values.
    ///   - text: the text.
    ///   - isExcerpt: whether `…` marks omitted text; if so, fragments of values that adjoin it are removed too.
    /// - Returns: the text with ``mark`` in place of each value.
    package static func removing(_ values: [String], from text: String, isExcerpt: Bool = false) -> String {
        guard !values.isEmpty else { return text }
        let composed = values.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
        guard !isExcerpt, composed.isEmpty else {
            return ValueRemoval(values, composed: composed, isExcerpt: isExcerpt).removing(from: text)
        }
        // Most texts contain neither an escape nor a secret, and a bytewise search costs much less.
        let plain = PlainSearch(values, in: text)
        guard plain.mayFindSome else { return text }
        let search = ValueRemoval(values)
        return plain.parts(of: text).map { $0.mayHaveValue ? search.removing(from: $0.text) : $0.text }.joined()
    }
}

/// An operation that removes plain and escaped values from texts.
private struct ValueRemoval {
    private let spellings: Set<[Unicode.Scalar]>
    private let byFirst: [Unicode.Scalar: [[Unicode.Scalar]]]
    private let composed: [String]
    private let isExcerpt: Bool

    init(_ values: [String], composed: [String] = [], isExcerpt: Bool = false) {
        let spellings = Set(values.lazy.filter { !$0.isEmpty }.map { Array($0.unicodeScalars) })
        self.spellings = spellings
        byFirst = Dictionary(grouping: spellings) { $0[0] }
        self.composed = composed
        self.isExcerpt = isExcerpt
    }

    func removing(from text: String) -> String {
        guard !spellings.isEmpty else { return text }
        let escaped = EscapedText(text)
        var shown = String.UnicodeScalarView()
        // The end of the redacted part, which covers overlapping values entirely.
        var hidden = 0
        for place in escaped.scalars.indices {
            var end = escaped.end(ofOneOf: byFirst, from: place, mayBeCut: isExcerpt)
            if isExcerpt, escaped.mayHaveLostItsBeginning(at: place) {
                end = [end, escaped.end(ofEndOfOneOf: spellings, from: place)].compactMap { $0 }.max()
            }
            if !composed.isEmpty {
                end = [end, escaped.end(ofEquivalentOfOneOf: composed, from: place)].compactMap { $0 }.max()
            }
            if let end {
                if place >= hidden { shown.append(contentsOf: Redaction.mark.unicodeScalars) }
                hidden = max(hidden, end)
            } else if place >= hidden {
                shown.append(escaped.scalars[place])
            }
        }
        return String(shown)
    }
}

/// A search for unescaped values that uses `memchr` and `memcmp`, because long bodies are searched for many values.
private struct PlainSearch {
    /// The values that occur unescaped in the text.
    private let found: [[UInt8]]
    /// The bytes in the text that can start an escape.
    private let escapes: [UInt8]
    /// Whether any value contains a quotation mark.
    private let spansStrings: Bool

    init(_ values: [String], in text: String) {
        (found, escapes) = text.withBytes { bytes in
            (
                values.map { Array($0.utf8) }.filter { Self.contains($0, bytes) },
                Array("\\%&+".utf8).filter { Self.place(of: $0, in: bytes, from: 0) != nil }
            )
        }
        spansStrings = values.contains { $0.utf8.contains(UInt8(ascii: "\"")) }
    }

    /// Whether the text contains one of the values or a byte that can start an escape.
    var mayFindSome: Bool { !found.isEmpty || !escapes.isEmpty }

    /// Splits a text at quotation marks.
    ///
    /// An escape in one string then does not slow down the search of the others.
    func parts(of text: String) -> [(text: String, mayHaveValue: Bool)] {
        guard !spansStrings else { return [(text, true)] }
        return text.withBytes { bytes in
            var parts: [(text: String, mayHaveValue: Bool)] = []
            var (start, keptEnd) = (0, 0)
            while start <= bytes.count {
                let end = Self.place(of: UInt8(ascii: "\""), in: bytes, from: start) ?? bytes.count
                let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
                if mayHaveValue(part) {
                    parts.append((String(decoding: bytes[keptEnd..<start], as: UTF8.self), false))
                    parts.append((String(decoding: part, as: UTF8.self), true))
                    keptEnd = end
                }
                start = end + 1
            }
            parts.append((String(decoding: bytes[keptEnd...], as: UTF8.self), false))
            return parts
        }
    }

    private func mayHaveValue(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        escapes.contains { Self.place(of: $0, in: part, from: 0) != nil } || found.contains { Self.contains($0, part) }
    }

    private static func contains(_ value: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, let first = value.first else { return false }
        var from = 0
        while let place = place(of: first, in: bytes, from: from), bytes.count - place >= value.count {
            if memcmp(start + place, value, value.count) == 0 { return true }
            from = place + 1
        }
        return false
    }

    private static func place(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Int? {
        guard let start = bytes.baseAddress, place < bytes.count,
            let found = memchr(start + place, Int32(byte), bytes.count - place)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
}

extension EscapedText {
    /// Returns the end of the longest value that matches at an index; the values are grouped by their first scalar.
    fileprivate func end(
        ofOneOf values: [Unicode.Scalar: [[Unicode.Scalar]]],
        from place: Int,
        mayBeCut: Bool
    ) -> Int? {
        let candidates: [[Unicode.Scalar]]
        if mayEscape(at: place) {
            candidates = values.filter { !ends(of: $0.key, at: place).isEmpty }.flatMap(\.value)
        } else {
            candidates = values[scalars[place]] ?? []
        }
        return candidates.compactMap { end(of: $0, from: place, mayBeCut: mayBeCut) }.max()
    }

    /// Returns the end of the longest value that matches at an index; canonically equivalent characters match too.
    fileprivate func end(ofEquivalentOfOneOf values: [String], from place: Int) -> Int? {
        values.compactMap { value in
            // A composed character decomposes into at most four scalars.
            let window = String(String.UnicodeScalarView(scalars[place...].prefix(value.unicodeScalars.count * 4)))
            guard window.hasPrefix(value) else { return nil }
            return place + window.prefix(value.count).unicodeScalars.count
        }.max()
    }

    /// Returns the end of the longest match at an index for a value whose beginning has been cut off.
    fileprivate func end(ofEndOfOneOf values: Set<[Unicode.Scalar]>, from place: Int) -> Int? {
        values.compactMap { value in
            value.indices.dropLast(Self.shortestPiece - 1)
                .compactMap { end(of: value[$0...], from: place, mayBeCut: true) }.max()
        }.max()
    }
}
