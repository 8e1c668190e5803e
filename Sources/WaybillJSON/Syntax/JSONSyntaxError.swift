/// The first violation of the JSON grammar (RFC 8259) in text.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first invalid byte, or the length of the text if it ends prematurely.
    package let offset: Int

    /// A description of the valid continuations.
    package let expected: String

    /// A description of the actual text, quoting at most a few characters.
    package let found: String

    package init(offset: Int, expected: String, found: String) {
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    /// Creates the error with a description of the bytes at the given offset.
    init(offset: Int, expected: String, in bytes: [UInt8]) {
        self.init(offset: offset, expected: expected, found: Self.words(at: offset, in: bytes))
    }

    /// The expected and actual text, such as `expected ',' or '}', found '"'`.
    package var description: String { "expected \(expected), found \(found)" }

    /// Returns a description of the text at the given offset.
    static func words(at index: Int, in bytes: [UInt8]) -> String {
        guard index < bytes.count else { return "the end of the text" }
        let word = wordRange(at: index, in: bytes)
        if !word.isEmpty {
            let shown = word.prefix(24)
            return "'" + String(decoding: bytes[shown], as: UTF8.self) + (shown.count < word.count ? "…'" : "'")
        }
        guard let length = UTF8Sequence.length(in: bytes, at: index),
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        else {
            return "the byte 0x\(String(bytes[index], radix: 16, uppercase: true)), which is not valid UTF-8"
        }
        let number = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
        switch scalar.properties.generalCategory {
        case .control: return "a control character (\(code))"
        case .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .nonspacingMark, .enclosingMark:
            return scalar == " " ? "a space" : "the character \(code)"
        default: return scalar == "'" ? "a single quotation mark" : "'\(scalar)'"
        }
    }

    /// Returns the range of letters, digits and signs that starts at the given offset, such as `undefined` or `+1`.
    static func wordRange(at start: Int, in bytes: [UInt8]) -> Range<Int> {
        let end = bytes[min(start, bytes.count)...].firstIndex { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                false
            default: !"_$.+-".utf8.contains(byte)
            }
        }
        return start..<max(start, end ?? bytes.count)
    }
}

/// Well-formed byte sequences of UTF-8 (RFC 3629, section 4).
enum UTF8Sequence {
    /// Returns the length in bytes of the scalar that starts at the given index; nil if it is ill-formed.
    static func length(in bytes: [UInt8], at index: Int) -> Int? {
        guard bytes.indices.contains(index) else { return nil }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[index] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        // The narrower ranges exclude overlong forms, surrogates and values beyond U+10FFFF.
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]),
            bytes[(index + 2)..<(index + length)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { return nil }
        return length
    }

    /// Returns the start of the scalar that contains a byte of valid UTF-8.
    static func start(in bytes: [UInt8], at index: Int) -> Int {
        var start = min(index, bytes.count)
        while start > 0, index - start < 3, bytes.indices.contains(start), bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
