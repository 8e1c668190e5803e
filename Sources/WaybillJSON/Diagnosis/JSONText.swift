import WaybillSystem

/// A JSON text whose errors are shown: it finds syntax errors, and the places of values.
///
/// This is for the moment after a decoder has failed. Only the bytes are kept; every query reads them again, in time
/// linear in their number, and none can exhaust the stack.
package struct JSONText: Sendable {
    /// The bytes of the text.
    let bytes: [UInt8]

    /// The offset of the text's first byte: after a byte order mark, which RFC 8259, section 8.1, allows to ignore.
    let start: Int

    /// The offset of the first byte that is shown with an error.
    let firstShown: Int

    /// Whether the lines at either end of the bytes continue beyond them.
    let isCut: (before: Bool, after: Bool)

    /// Whether the bytes are only the beginning of a value.
    let isTruncated: Bool

    /// Takes the bytes of a text, JSON or not.
    package init(_ data: Data) {
        bytes = Array(data)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        firstShown = start
        isCut = (false, false)
        isTruncated = false
    }

    /// Cuts a text out of another one, with some of the bytes before it.
    init(_ bytes: [UInt8], from start: Int, isCut: (before: Bool, after: Bool), isTruncated: Bool = false) {
        self.bytes = bytes
        self.start = start
        self.isCut = isCut
        self.isTruncated = isTruncated
        firstShown = 0
    }

    /// Returns the first place at which the text is not JSON (RFC 8259), in its strictest reading; nil if it is JSON.
    package func syntaxError() -> JSONSyntaxError? {
        var tokens = tokens
        do throws(JSONSyntaxError) {
            while try tokens.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    var tokens: JSONTokens { JSONTokens(bytes, from: start) }

    /// Returns the text that a string token or a key denotes, escapes resolved; half a surrogate pair becomes U+FFFD.
    func string(at range: Range<Int>) -> String {
        Self.string(of: bytes[range].dropFirst().dropLast())
    }

    /// Returns the text that bytes denote within a string.
    static func string(of content: ArraySlice<UInt8>) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = String(decoding: content, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let escape = rest.popFirst() else {
                units.append(contentsOf: String(scalar).utf16)
                continue
            }
            switch escape {
            case "b": units.append(0x08)
            case "f": units.append(0x0C)
            case "n": units.append(0x0A)
            case "r": units.append(0x0D)
            case "t": units.append(0x09)
            case "u":
                units.append(UInt16(String(rest.prefix(4)), radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            default: units.append(contentsOf: String(escape).utf16)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
