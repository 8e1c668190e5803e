extension JSONTokens {
    /// Returns the end of the string that begins at an offset (RFC 8259, section 7).
    mutating func endOfString(at start: Int) throws(JSONSyntaxError) -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                return index + 1
            case UInt8(ascii: "\\"):
                index = try endOfEscape(at: index)
            case 0..<0x20:
                throw unexpected("an escape such as \\n in the string", at: index)
            case 0x20..<0x80:
                index += 1
            default:
                guard let length = UTF8Sequence.length(in: bytes, at: index) else {
                    throw unexpected("valid UTF-8 in the string", at: index)
                }
                index += length
            }
        }
        throw unexpected("'\"' at the end of the string", at: index)
    }

    /// Returns the end of the escape that begins at an offset; of both if two make a surrogate pair.
    private mutating func endOfEscape(at start: Int) throws(JSONSyntaxError) -> Int {
        let index = start + 1
        guard index < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[index]) else {
            throw unexpected("one of \" \\ / b f n r t u after '\\'", at: index)
        }
        guard bytes[index] == UInt8(ascii: "u") else { return index + 1 }
        let unit = try hexadecimal(at: index + 1)
        guard unit & 0xF800 == 0xD800 else { return index + 5 }
        if unit < 0xDC00, bytes[(index + 5)...].starts(with: "\\u".utf8),
            try hexadecimal(at: index + 7) & 0xFC00 == 0xDC00
        {
            return index + 11
        }
        unpairedSurrogate = unpairedSurrogate ?? start
        return index + 5
    }

    private func hexadecimal(at start: Int) throws(JSONSyntaxError) -> Int {
        var value = 0
        for index in start..<start + 4 {
            guard index < bytes.count, let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue else {
                throw unexpected("four hexadecimal digits after '\\u'", at: index)
            }
            value = value * 16 + digit
        }
        return value
    }

    /// Returns the end of the number that begins at an offset (RFC 8259, section 6).
    func endOfNumber(at start: Int) throws(JSONSyntaxError) -> Int {
        var index = start
        if byte(at: index) == UInt8(ascii: "-") { index += 1 }
        let firstDigit = index
        index = try endOfDigits(at: index, after: "'-'")
        if index > firstDigit + 1, bytes[firstDigit] == UInt8(ascii: "0") {
            throw unexpected("no digit after a leading 0", at: firstDigit + 1)
        }
        if byte(at: index) == UInt8(ascii: ".") {
            index = try endOfDigits(at: index + 1, after: "'.'")
        }
        if let letter = byte(at: index), letter | 0x20 == UInt8(ascii: "e") {
            index += 1
            if let sign = byte(at: index), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
            index = try endOfDigits(at: index, after: "the exponent's 'e'")
        }
        return index
    }

    private func endOfDigits(at start: Int, after previous: String) throws(JSONSyntaxError) -> Int {
        var index = start
        while let digit = byte(at: index), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { index += 1 }
        guard index > start else { throw unexpected("a digit after \(previous)", at: index) }
        return index
    }

    /// Returns the end of `true`, `false` or `null` at an offset; throws if there is another text.
    func endOfLiteral(at start: Int) throws(JSONSyntaxError) -> Int {
        for literal in ["true", "false", "null"] {
            let rest = bytes[start...].prefix(literal.utf8.count)
            if rest.elementsEqual(literal.utf8) { return start + literal.utf8.count }
            if !rest.isEmpty, start + rest.count == bytes.count, literal.utf8.starts(with: rest) {
                throw unexpected("'\(literal)'", at: bytes.count)
            }
        }
        throw unexpected(expectedValue, at: start)
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Returns the error of the text at an offset.
    func unexpected(_ expected: String, at index: Int) -> JSONSyntaxError {
        JSONSyntaxError(offset: index, expected: expected, found: words(at: index))
    }

    /// Returns the text at an offset, in words.
    private func words(at index: Int) -> String {
        guard let byte = byte(at: index) else { return "the end of the text" }
        let word = wordRange(at: index)
        if !word.isEmpty {
            let shown = word.prefix(24)
            return "'" + String(decoding: bytes[shown], as: UTF8.self) + (shown.count < word.count ? "…'" : "'")
        }
        guard let length = UTF8Sequence.length(in: bytes, at: index),
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        else {
            return "the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not valid UTF-8"
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

    /// Returns the letters, digits and signs from an offset on, such as those of `undefined` or `+1`.
    func wordRange(at start: Int) -> Range<Int> {
        var index = start
        while let byte = byte(at: index),
            Character(UnicodeScalar(byte)).isLetter && byte < 0x80
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_$.+-".utf8.contains(byte)
        {
            index += 1
        }
        return start..<index
    }
}
