extension JSONText {
    /// Returns a value in words: `the string "cheap"`, `null`, `an array of 3 elements`.
    ///
    /// Strings and numbers are quoted up to 32 characters; without `quoting`, only the kind is returned.
    package func words(for value: Range<Int>, quoting: Bool = true) -> String {
        var tokens = JSONTokens(bytes, from: value.lowerBound)
        guard let token = try? tokens.next() else { return "a value" }
        switch token.kind {
        case .string, .key:
            guard quoting else { return "a string" }
            // Four bytes a character do for all but the oddest; the oddest are cut a little earlier.
            let end = UTF8Sequence.start(in: bytes, at: min(token.range.upperBound - 1, token.range.lowerBound + 200))
            let isWhole = end == token.range.upperBound - 1
            let content = String(decoding: bytes[(token.range.lowerBound + 1)..<end], as: UTF8.self)
            return "the string \"" + Self.shortened(content, isWhole: isWhole) + "\""
        case .number:
            guard quoting else { return "a number" }
            let digits = bytes[token.range].prefix(200)
            return "the number "
                + Self.shortened(String(decoding: digits, as: UTF8.self), isWhole: digits.count == token.range.count)
        case .literal:
            return String(decoding: bytes[token.range], as: UTF8.self)
        case .beginArray:
            guard let count = count(of: value) else { return "an array" }
            return count == 0 ? "an empty array" : "an array of \(count) element\(count == 1 ? "" : "s")"
        case .beginObject:
            guard let count = count(of: value) else { return "an object" }
            return count == 0 ? "an empty object" : "an object with \(count) key\(count == 1 ? "" : "s")"
        case .endArray, .endObject:
            return "a value"
        }
    }

    /// Returns the first characters of a text, invisible ones made visible.
    static func shortened(_ text: String, isWhole: Bool = true, to length: Int = 32) -> String {
        let shown = text.prefix(length)
        return shown.map { VisibleCharacter($0).text }.joined()
            + (isWhole && shown.endIndex == text.endIndex ? "" : "…")
    }

    /// Returns the number of elements or keys of the array or object at a range; nil if its end is not there.
    private func count(of container: Range<Int>) -> Int? {
        var tokens = JSONTokens(bytes, from: container.lowerBound)
        var count = 0
        do throws(JSONSyntaxError) {
            _ = try tokens.next()
            while let child = try tokens.next(), tokens.depth > 0 {
                if child.kind == .key, let value = try tokens.next() {
                    try tokens.skipRest(of: value)
                } else {
                    try tokens.skipRest(of: child)
                }
                count += 1
            }
            return count
        } catch {
            return nil
        }
    }
}
