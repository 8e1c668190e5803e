import WaybillSystem

extension Redaction {
    /// Removes values from a text, including escaped occurrences.
    ///
    /// Takes time linear in the text's length, except for matches and near matches.
    ///
    /// - Parameters:
    ///   - values: the values.
    ///   - text: the text.
    ///   - isExcerpt: whether `…` marks omitted text; if so, fragments of values next to it are removed too.
    /// - Returns: the text with ``mark`` in place of each value.
    package static func removing(_ values: [String], from text: String, isExcerpt: Bool = false) -> String {
        guard !values.isEmpty else { return text }
        let composed = values.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
        guard !isExcerpt, composed.isEmpty else {
            return ValueRemoval(values, composed: composed, isExcerpt: isExcerpt).removing(from: text)
        }
        // Most texts contain neither escapes nor secrets, which a bytewise search detects at a much lower cost.
        let plain = PlainSearch(values, in: text)
        guard plain.mayFindAny else { return text }
        let search = ValueRemoval(values)
        return plain.parts(of: text).map { $0.mayContainValue ? search.removing(from: $0.text) : $0.text }.joined()
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
        // The end of the redacted part, which includes overlapping values.
        var hidden = 0
        for index in escaped.scalars.indices {
            var end = escaped.end(ofOneOf: byFirst, from: index, mayBeCut: isExcerpt)
            if isExcerpt, escaped.mayFollowCut(at: index) {
                end = [end, escaped.end(ofSuffixOfOneOf: spellings, from: index)].compactMap { $0 }.max()
            }
            if !composed.isEmpty {
                end = [end, escaped.end(ofEquivalentOfOneOf: composed, from: index)].compactMap { $0 }.max()
            }
            if let end {
                if index >= hidden { shown.append(contentsOf: Redaction.mark.unicodeScalars) }
                hidden = max(hidden, end)
            } else if index >= hidden {
                shown.append(escaped.scalars[index])
            }
        }
        return String(shown)
    }
}

/// A fast search for unescaped values, because long bodies are searched for many values.
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
                Array("\\%&+".utf8).filter { Self.index(of: $0, in: bytes, from: 0) != nil }
            )
        }
        spansStrings = values.contains { $0.utf8.contains(UInt8(ascii: "\"")) }
    }

    /// Whether the text contains one of the values or a byte that can start an escape.
    var mayFindAny: Bool { !found.isEmpty || !escapes.isEmpty }

    /// Splits a text at quotation marks.
    ///
    /// An escape in one string does not then slow down the search in the others.
    func parts(of text: String) -> [(text: String, mayContainValue: Bool)] {
        guard !spansStrings else { return [(text, true)] }
        return text.withBytes { bytes in
            var parts: [(text: String, mayContainValue: Bool)] = []
            var (start, keptEnd) = (0, 0)
            while start <= bytes.count {
                let end = Self.index(of: UInt8(ascii: "\""), in: bytes, from: start) ?? bytes.count
                let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
                if mayContainValue(part) {
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

    private func mayContainValue(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        escapes.contains { Self.index(of: $0, in: part, from: 0) != nil } || found.contains { Self.contains($0, part) }
    }

    private static func contains(_ value: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, let first = value.first else { return false }
        var from = 0
        while let index = index(of: first, in: bytes, from: from), bytes.count - index >= value.count {
            if memcmp(start + index, value, value.count) == 0 { return true }
            from = index + 1
        }
        return false
    }

    private static func index(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int? {
        guard let start = bytes.baseAddress, index < bytes.count,
            let found = memchr(start + index, Int32(byte), bytes.count - index)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
}

extension EscapedText {
    /// Returns the end of the longest match of a value at an index; the values are grouped by their first scalars.
    fileprivate func end(
        ofOneOf values: [Unicode.Scalar: [[Unicode.Scalar]]],
        from index: Int,
        mayBeCut: Bool
    ) -> Int? {
        let candidates: [[Unicode.Scalar]]
        if mayEscape(at: index) {
            candidates = values.filter { !ends(of: $0.key, at: index).isEmpty }.flatMap(\.value)
        } else {
            candidates = values[scalars[index]] ?? []
        }
        return candidates.compactMap { end(of: $0, from: index, mayBeCut: mayBeCut) }.max()
    }

    /// Returns the end of the longest match of a value at an index; canonically equivalent characters also match.
    fileprivate func end(ofEquivalentOfOneOf values: [String], from index: Int) -> Int? {
        values.compactMap { value in
            // A composed character decomposes into at most four scalars.
            let window = String(String.UnicodeScalarView(scalars[index...].prefix(value.unicodeScalars.count * 4)))
            guard window.hasPrefix(value) else { return nil }
            return index + window.prefix(value.count).unicodeScalars.count
        }.max()
    }

    /// Returns the end of the longest match at an index of a value whose beginning has been cut off.
    fileprivate func end(ofSuffixOfOneOf values: Set<[Unicode.Scalar]>, from index: Int) -> Int? {
        values.compactMap { value in
            value.indices.dropLast(Self.minimumFragmentLength - 1)
                .compactMap { end(of: value[$0...], from: index, mayBeCut: true) }.max()
        }.max()
    }
}
