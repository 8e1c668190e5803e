import Foundation

extension Redaction {
    /// A text without some values, in whichever way the text escapes their characters.
    ///
    /// Linear in the text's length, but for what looks like a value.
    ///
    /// - Parameter isExcerpt: whether the text shows cuts as `…`, where a piece of a value is looked for too.
    package static func removing(_ values: [String], from text: String, isExcerpt: Bool = false) -> String {
        var spellings: Set<[Unicode.Scalar]> = []
        for value in values where !value.isEmpty {
            if value.utf8.allSatisfy({ $0 < 0x80 }) {
                spellings.insert(Array(value.unicodeScalars))
                continue
            }
            // Two texts that look the same need not have the same characters.
            for form in [
                value, value.precomposedStringWithCanonicalMapping, value.decomposedStringWithCanonicalMapping,
            ] {
                spellings.insert(Array(form.unicodeScalars))
            }
        }
        guard !spellings.isEmpty else { return text }
        let byFirst = Dictionary(grouping: spellings) { $0[0] }
        let escaped = EscapedText(text)
        var shown = String.UnicodeScalarView()
        // The end of what is hidden: of two values that overlap, nothing may stay.
        var hidden = 0
        for place in escaped.scalars.indices {
            var end = escaped.end(ofOneOf: byFirst, from: place, mayBeCut: isExcerpt)
            if isExcerpt, escaped.mayHaveLostItsBeginning(at: place) {
                end = [end, escaped.end(ofEndOfOneOf: spellings, from: place)].compactMap { $0 }.max()
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
}

extension EscapedText {
    /// The farthest end of those values, given by their first characters, that are written from a place on.
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

    /// The same for values whose beginning is cut off.
    fileprivate func end(ofEndOfOneOf values: Set<[Unicode.Scalar]>, from place: Int) -> Int? {
        values.compactMap { value in
            value.indices.dropLast(Self.shortestPiece - 1)
                .compactMap { end(of: value[$0...], from: place, mayBeCut: true) }.max()
        }.max()
    }
}
