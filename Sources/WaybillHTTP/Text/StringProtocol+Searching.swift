extension StringProtocol {
    /// Returns the text without leading and trailing whitespace.
    package func trimmed() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...last])
    }

    /// Returns the range of the first occurrence of a text.
    ///
    /// Compares bytes rather than characters, so that a combining mark after a delimiter does not hide it.
    ///
    /// - Parameters:
    ///   - text: the text to find.
    ///   - ignoresCase: whether ASCII letters match case-insensitively.
    /// - Returns: the range; nil if the text does not occur, or is empty.
    package func firstRange(ofBytes text: String, ignoringCase ignoresCase: Bool = false) -> Range<Index>? {
        let folded = { (byte: UInt8) in ignoresCase ? byte.asciiLowercased : byte }
        let wanted = text.utf8.map(folded)
        guard !wanted.isEmpty else { return nil }
        var start = utf8.startIndex
        while start < utf8.endIndex {
            var (end, count) = (start, 0)
            while count < wanted.count, end < utf8.endIndex, folded(utf8[end]) == wanted[count] {
                end = utf8.index(after: end)
                count += 1
            }
            if count == wanted.count { return start..<end }
            start = utf8.index(after: start)
        }
        return nil
    }

    /// Returns the text with every bytewise occurrence of another text replaced.
    package func replacing(bytes text: String, with replacement: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.firstRange(ofBytes: text) {
            result += rest[..<range.lowerBound]
            result += replacement
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
