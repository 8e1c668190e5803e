import Foundation

/// A JSON text whose errors are to be shown: finds what is wrong in it, and where a value is.
///
/// This is for the moment after a decoder has failed. Nothing is kept but the bytes; every question reads them again,
/// in time linear in their number, and none of them can exhaust the stack.
package struct JSONText: Sendable {
    /// The bytes of the text.
    let bytes: [UInt8]

    /// The offset of the text's first byte: behind a byte order mark, which RFC 8259, section 8.1, allows to ignore.
    let start: Int

    /// The offset of the first byte that is shown with an error.
    let firstShown: Int

    /// Whether the lines at either end of the bytes go on beyond them.
    let isCut: (before: Bool, after: Bool)

    /// Takes the bytes of a text, JSON or not.
    package init(_ data: Data) {
        bytes = Array(data)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        firstShown = start
        isCut = (false, false)
    }

    /// Takes a text out of another one, with some of what is before it there.
    init(_ bytes: [UInt8], from start: Int, isCut: (before: Bool, after: Bool)) {
        self.bytes = bytes
        self.start = start
        self.isCut = isCut
        firstShown = 0
    }

    /// The first place where the text is not JSON (RFC 8259), in its strictest reading; nil where it is JSON.
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

    /// The text that a string token or a key denotes, escapes resolved; half a surrogate pair becomes U+FFFD.
    func string(at range: Range<Int>) -> String {
        Self.string(of: bytes[range].dropFirst().dropLast())
    }

    /// The text that bytes denote within a string.
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
