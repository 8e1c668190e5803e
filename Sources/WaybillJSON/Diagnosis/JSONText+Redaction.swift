extension JSONText {
    /// Returns the ranges to hide, which contain the values of the given keys, sorted and without overlap.
    ///
    /// Case, `_` and `-` are ignored when matching keys. If the text is not valid JSON, bytes cannot be matched to keys
    /// with certainty, so more than necessary is hidden. Everything from the syntax error on is hidden if the error is
    /// inside or adjacent to such a value, or if the name of such a key follows nearby. The whole text is hidden if
    /// such a name appears shortly before the error but is not a key.
    func redactedRanges(ofKeys names: Set<String>) -> [Range<Int>] {
        guard !names.isEmpty else { return [] }
        let names = Set(names.map(KeySpelling.folded))
        var keys: [Range<Int>] = []
        var ranges: [Range<Int>] = []
        var tokens = tokens
        // The last key, if its value has not been read yet.
        var open: Range<Int>?
        do throws(JSONSyntaxError) {
            while let key = try tokens.next() {
                if key.kind == .string, hasKey(anyOf: names, inStringAt: key.range) { ranges.append(key.range) }
                guard key.kind == .key, names.contains(KeySpelling.folded(string(at: key.range))) else { continue }
                keys.append(key.range)
                open = key.range
                guard let value = try tokens.next() else { break }
                open = nil
                ranges.append(value.range.lowerBound..<bytes.count)
                try tokens.skipRest(of: value)
                ranges[ranges.count - 1] = value.range.lowerBound..<tokens.offset
            }
        } catch {
            if let open {
                ranges.append(open.upperBound..<bytes.count)
            } else if ranges.last?.upperBound == bytes.count {
                // The error is in a hidden value, so everything after it is hidden too.
            } else if let last = ranges.last, areWhitespace(last.upperBound, error.offset) {
                ranges[ranges.count - 1] = last.lowerBound..<bytes.count
            } else if let start = doubt(at: error.offset, names: names, keys: keys) {
                ranges.removeAll { $0.upperBound > start }
                ranges.append(start..<bytes.count)
            }
        }
        return ranges.filter { !$0.isEmpty }
    }

    /// Whether a string contains JSON with one of the keys, possibly in nested strings.
    private func hasKey(anyOf names: Set<String>, inStringAt range: Range<Int>) -> Bool {
        // Quotation marks within a string must be escaped.
        guard bytes[range].contains(UInt8(ascii: "\\")) else { return false }
        var text = string(at: range)
        for _ in 1...4 {
            guard text.utf8.contains(UInt8(ascii: "\"")) else { return false }
            let folded = KeySpelling.folded(text).filter { $0 != "\\" && !$0.isWhitespace }
            if names.contains(where: { folded.contains("\"\($0)\":") }) { return true }
            guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
            text = Self.string(of: Array(text.utf8)[...])
        }
        return true
    }

    /// Returns the offset from which text with a syntax error may reveal a secret; nil if it reveals none.
    private func doubt(at offset: Int, names: Set<String>, keys: [Range<Int>]) -> Int? {
        let nearby = 2 * TextExcerpt.reach
        var before: [UInt8] = []
        var index = max(start, offset - nearby)
        // Keys whose values are already hidden are ignored.
        for key in keys where key.lowerBound >= index {
            before += bytes[index..<key.lowerBound]
            index = key.upperBound
        }
        before += bytes[index..<offset]
        if isNaming(before[...], anyOf: names) { return start }

        let after = bytes[offset...].prefix(nearby)
        // An escape may be part of a name.
        guard after.contains(UInt8(ascii: "\\")) || isNaming(after, anyOf: names) else { return nil }
        let character = offset + (UTF8Sequence.length(in: bytes, at: offset) ?? 0)
        return max(character, JSONSyntaxError.wordRange(at: offset, in: bytes).upperBound)
    }

    private func isNaming(_ bytes: ArraySlice<UInt8>, anyOf names: Set<String>) -> Bool {
        // An escape may be part of a name. The bytes may also begin within an escape, so what looks like an escape may
        // not be one.
        let texts = [String(decoding: bytes, as: UTF8.self), Self.string(of: bytes)].map(KeySpelling.folded)
        return names.contains { name in texts.contains { $0.contains(name) } }
    }

    private func areWhitespace(_ start: Int, _ end: Int) -> Bool {
        start <= end && bytes[start..<end].allSatisfy { " \n\r\t".utf8.contains($0) }
    }

    /// Whether a message contains a hidden string or number.
    func isRepeated(anyOf hidden: [Range<Int>], in message: String) -> Bool {
        for range in hidden {
            var tokens = JSONTokens(bytes, from: range.lowerBound)
            while let token = try? tokens.next(), token.range.upperBound <= range.upperBound {
                let text: String
                switch token.kind {
                case .string: text = string(at: token.range)
                case .number: text = String(decoding: bytes[token.range], as: UTF8.self)
                default: continue
                }
                if !text.isEmpty, message.contains(text) { return true }
                if tokens.depth == 0 { break }
            }
        }
        return false
    }
}
