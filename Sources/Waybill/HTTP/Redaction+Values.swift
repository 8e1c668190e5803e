import Foundation

extension Redaction {
    /// A text without some values, in whichever way the text escapes their characters.
    ///
    /// Linear in the text's length, but for what looks like a value.
    package static func removing(_ values: [String], from text: String) -> String {
        var spellings: Set<[Unicode.Scalar]> = []
        for value in values where !value.isEmpty {
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
            let end = escaped.end(ofOneOf: byFirst, from: place)
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
    fileprivate func end(ofOneOf values: [Unicode.Scalar: [[Unicode.Scalar]]], from place: Int) -> Int? {
        let candidates: [[Unicode.Scalar]]
        if mayEscape(at: place) {
            candidates = values.filter { !ends(of: $0.key, at: place).isEmpty }.flatMap(\.value)
        } else {
            candidates = values[scalars[place]] ?? []
        }
        return candidates.compactMap { end(of: $0, from: place) }.max()
    }
}
