import WaybillSystem

/// A JSON text that supports finding syntax errors and locating values.
///
/// It is used after a decoder has failed. It stores only the bytes: every query reparses them in linear time, without
/// recursion.
package struct JSONText: Sendable {
    /// The bytes of the text.
    let bytes: [UInt8]

    /// The offset of the text's first byte, after any byte order mark, which parsers may ignore (RFC 8259, section
    /// 8.1).
    let start: Int

    /// The offset of the first byte available for excerpts.
    let firstShown: Int

    /// Whether the first and last lines continue beyond the bytes.
    let isCut: (before: Bool, after: Bool)

    /// Whether the bytes are only the beginning of a value.
    let isTruncated: Bool

    /// Creates a text from its bytes, which need not be valid JSON.
    package init(_ data: Data) {
        bytes = Array(data)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        firstShown = start
        isCut = (false, false)
        isTruncated = false
    }

    /// Creates text that is part of a larger text, including some of the bytes before it.
    init(_ bytes: [UInt8], from start: Int, isCut: (before: Bool, after: Bool), isTruncated: Bool = false) {
        self.bytes = bytes
        self.start = start
        self.isCut = isCut
        self.isTruncated = isTruncated
        firstShown = 0
    }

    /// Returns the first violation of strict JSON (RFC 8259); nil if the text is valid.
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

    /// Returns the content of a string or key token with its escapes resolved; lone surrogates become U+FFFD.
    func string(at range: Range<Int>) -> String {
        Self.string(of: bytes[range].dropFirst().dropLast())
    }

    /// Returns the text of a string, given the bytes between its quotation marks.
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

/// A position in a text, as editors display it.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, starting at 1; lines end with LF, CRLF or CR.
    package let line: Int

    /// The column in characters, starting at 1; at the end of the line, one past its last character.
    package let column: Int

    /// A description of the position.
    package var description: String { "line \(line), column \(column)" }
}

extension JSONText {
    /// Returns the position of a byte in the text; an offset beyond the text is treated as its end.
    ///
    /// A byte order mark is not counted. Takes time linear in the offset.
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

    /// Returns the range of the line that contains a byte, without the line break.
    func line(ofByte offset: Int) -> Range<Int> {
        let offset = min(max(offset, firstShown), bytes.count)
        let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        var lower = offset
        // The LF of a CRLF belongs to the line that it ends.
        if lower > firstShown, lower < bytes.count, bytes[lower] == 0x0A, bytes[lower - 1] == 0x0D { lower -= 1 }
        while lower > firstShown, !isBreak(bytes[lower - 1]) { lower -= 1 }
        let upper = bytes[min(lower, offset)...].firstIndex(where: isBreak) ?? bytes.count
        return lower..<upper
    }

    /// Returns a description of a value, such as `the string "cheap"`, `null` or `an array of 3 elements`.
    ///
    /// Strings and numbers are quoted up to 32 characters; if `quoting` is false, they are described by kind only.
    package func words(for value: Range<Int>, quoting: Bool = true) -> String {
        var tokens = JSONTokens(bytes, from: value.lowerBound)
        guard let token = try? tokens.next() else { return "a value" }
        switch token.kind {
        case .string, .key:
            guard quoting else { return "a string" }
            // 200 bytes suffice for almost any 32 characters; text with longer characters is truncated earlier.
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

    /// Returns a prefix of text, with invisible characters made visible.
    static func shortened(_ text: String, isWhole: Bool = true, to length: Int = 32) -> String {
        let shown = text.prefix(length)
        return shown.map { VisibleCharacter($0).text }.joined()
            + (isWhole && shown.endIndex == text.endIndex ? "" : "…")
    }

    /// Returns the number of elements or keys in an array or object; nil if its end is unavailable.
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

/// Formatting of coding paths, such as `data[3].price` or `data["odd key"]`.
package enum CodingPathText {
    /// Returns the text of a path; empty for the whole document.
    ///
    /// Keys with characters other than letters, digits, `_` and `$` are quoted. Keys are truncated to 32 characters.
    package static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            let name = key.stringValue
            if let index = key.intValue, name == "\(index)" || name.hasPrefix("Index ") {
                text += "[\(index)]"
            } else if isPlain(name) {
                text += (text.isEmpty ? "" : ".") + JSONText.shortened(name)
            } else {
                text += "[\"" + quoted(name) + "\"]"
            }
        }
        return text
    }

    /// Returns a key escaped for use within quotation marks.
    package static func quoted(_ name: String) -> String {
        JSONText.shortened(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, !first.isNumber else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    }
}
