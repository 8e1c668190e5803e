/// The indentation of JSON for people, which keeps the order and the spelling of the document.
///
/// It need not be valid, because a body may be cut.
enum IndentedJSON {
    /// The deepest level that is indented: a document of brackets alone would become very long.
    private static let deepestIndent = 24

    /// Returns a document with a line for each member and element.
    ///
    /// - Parameters:
    ///   - text: the document, or its beginning.
    ///   - limit: the number of bytes at which the result ends.
    /// - Returns: the text, and whether it ends before the document.
    static func text(of text: String, upTo limit: Int) -> (text: String, isCut: Bool) {
        var output: [UInt8] = []
        var (depth, isInString, isEscaped) = (0, false, false)
        // The bracket that was opened last: one that is closed at once stays in its line.
        var hasJustOpened = false
        func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output += Array(repeating: UInt8(ascii: " "), count: 2 * min(depth, deepestIndent))
        }
        for byte in text.utf8 {
            if output.count > limit { return (String(decoding: output, as: UTF8.self), true) }
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
