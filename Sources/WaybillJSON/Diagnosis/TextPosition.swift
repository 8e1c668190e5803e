/// A place in a text as editors count it.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1; lines end at LF, CR LF or CR.
    package let line: Int

    /// The character of the line, from 1; one past the last at its end.
    package let column: Int

    /// The place in words.
    package var description: String { "line \(line), column \(column)" }
}

extension JSONText {
    /// Returns the position of a byte in the text; an offset beyond the text counts as its end.
    ///
    /// A byte order mark is not counted. Linear in the offset.
    package func position(ofByte offset: Int) -> TextPosition {
        let offset = min(max(offset, start), bytes.count)
        var line = 1
        var lineStart = start
        var isASCII = true
        for index in start..<offset {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A) {
                line += 1
                lineStart = index + 1
                isASCII = true
            } else if byte >= 0x80 {
                isASCII = false
            }
        }
        let prefix = bytes[lineStart..<offset]
        let count = isASCII ? prefix.count : String(decoding: prefix, as: UTF8.self).count
        return TextPosition(line: line, column: count + 1)
    }

    /// Returns the bytes of the line of a byte, without its end.
    func line(ofByte offset: Int) -> Range<Int> {
        let offset = min(max(offset, firstShown), bytes.count)
        let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        var lower = offset
        // A byte between CR and LF, or the LF itself, is on the line that they end.
        if lower > firstShown, lower < bytes.count, bytes[lower] == 0x0A, bytes[lower - 1] == 0x0D { lower -= 1 }
        while lower > firstShown, !isBreak(bytes[lower - 1]) { lower -= 1 }
        let upper = bytes[min(lower, offset)...].firstIndex(where: isBreak) ?? bytes.count
        return lower..<upper
    }
}
