/// A formatter that indents JSON without changing its member order or spelling.
///
/// The document can be invalid, because a body can be truncated.
enum IndentedJSON {
    /// The maximum indentation level, which limits the size of deeply nested documents.
    private static let deepestIndent = 24

    /// Returns a document with one line for each member and element.
    ///
    /// - Parameters:
    ///   - text: the document, or its beginning.
    ///   - limit: the approximate size at which to truncate the result, in bytes.
    /// - Returns: the text, and whether it was truncated.
    static func text(of text: String, upTo limit: Int) -> (text: String, isCut: Bool) {
        var output: [UInt8] = []
        var (depth, isInString, isEscaped) = (0, false, false)
        // Whether the last byte is an opening bracket. An empty pair of brackets stays on one line.
        var hasJustOpened = false
        func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output += Array(repeating: UInt8(ascii: " "), count: 2 * min(depth, deepestIndent))
        }
        for byte in text.utf8 {
            // Truncates only between characters.
            if output.count > limit, byte & 0xC0 != 0x80 { return (String(decoding: output, as: UTF8.self), true) }
            if isInString {
                output.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                if !hasJustOpened { breakLine() }
                output.append(byte)
                hasJustOpened = false
                continue
            default: break
            }
            if hasJustOpened { breakLine() }
            hasJustOpened = false
            output.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                hasJustOpened = true
            case UInt8(ascii: ","): breakLine()
            case UInt8(ascii: ":"): output.append(UInt8(ascii: " "))
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
        }
        return (String(decoding: output, as: UTF8.self), false)
    }
}
