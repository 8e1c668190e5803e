import WaybillSystem

extension Redaction {
    /// Removes values from a text, including those with escaped characters.
    ///
    /// Linear in the text's length, except for matches and near matches.
    ///
    /// - Parameters:
    ///   - values: the values.
    ///   - text: the text.
    ///   - isExcerpt: whether `…` stands for omitted text; a piece of a value next to it is then removed too.
    /// - Returns: the text with ``mark`` for each value.
    package static func removing(_ values: [String], from text: String, isExcerpt: Bool = false) -> String {
        guard !values.isEmpty else { return text }
        let composed = values.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
        if !isExcerpt, composed.isEmpty, !text.utf8.contains(where: EscapedText.mayBeEscape) {
            // Most texts have neither an escape nor a secret: a search of their bytes costs much less.
            guard hasOne(of: values, text) else { return text }
        }
        let spellings = Set(values.lazy.filter { !$0.isEmpty }.map { Array($0.unicodeScalars) })
        guard !spellings.isEmpty else { return text }
        let byFirst = Dictionary(grouping: spellings) { $0[0] }
        let escaped = EscapedText(text)
        var shown = String.UnicodeScalarView()
        // The end of the redacted part: of values that overlap, nothing may stay.
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
                if place >= hidden { shown.append(contentsOf: mark.unicodeScalars) }
                hidden = max(hidden, end)
            } else if place >= hidden {
                shown.append(escaped.scalars[place])
            }
        }
        return String(shown)
    }

    /// Whether a text has one of the values as it is.
    private static func hasOne(of values: [String], _ text: String) -> Bool {
        var byFirst = Array(repeating: [[UInt8]](), count: 256)
        for value in values.map({ Array($0.utf8) }) {
            if let first = value.first { byFirst[Int(first)].append(value) }
        }
        let bytes = Array(text.utf8)
        return bytes.indices.contains { place in
            byFirst[Int(bytes[place])].contains { bytes[place...].starts(with: $0) }
        }
    }
}

extension EscapedText {
    /// Returns the last end of the values that begin at a position; the values are grouped by their first characters.
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

    /// Returns the last end of the values that begin at a position, perhaps of other characters that look the same.
    fileprivate func end(ofEquivalentOfOneOf values: [String], from place: Int) -> Int? {
        values.compactMap { value in
            // A composed character has at most four when it is decomposed.
            let window = String(String.UnicodeScalarView(scalars[place...].prefix(value.unicodeScalars.count * 4)))
            guard window.hasPrefix(value) else { return nil }
            return place + window.prefix(value.count).unicodeScalars.count
        }.max()
    }

    /// Returns the last end of the values whose cut-off rest begins at a position.
    fileprivate func end(ofEndOfOneOf values: Set<[Unicode.Scalar]>, from place: Int) -> Int? {
        values.compactMap { value in
            value.indices.dropLast(Self.shortestPiece - 1)
                .compactMap { end(of: value[$0...], from: place, mayBeCut: true) }.max()
        }.max()
    }
}
