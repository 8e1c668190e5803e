import WaybillSystem

/// The formats of strings that JSON Schema defines, as far as a decoder reads them.
enum StringFormat {
    /// Whether a text has a format; a text has every format that is not known here.
    static func fits(_ text: String, _ format: String) -> Bool {
        switch format {
        case "date-time": isDateTime(Array(text.utf8))
        case "uuid": text.utf8.count == 36 && UUID(uuidString: text) != nil
        case "uri": isReference(text) && hasScheme(text)
        case "uri-reference": isReference(text)
        case "int64": Int64(text) != nil
        case "uint64": UInt64(text) != nil
        default: true
        }
    }

    /// Whether a text is a time of RFC 3339, without leap seconds: no decoder reads those.
    private static func isDateTime(_ text: [UInt8]) -> Bool {
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= text.count, text[range].allSatisfy({ (48...57).contains($0) }) else { return nil }
            return text[range].reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
            index < text.count && text[index] == UInt8(ascii: character)
        }
        guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
            let day = number(8..<10), has("T", at: 10), let hour = number(11..<13), has(":", at: 13),
            let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
            (1...12).contains(month), day >= 1, day <= days(of: month, in: year), hour < 24, minute < 60, second < 60
        else { return false }
        var end = 19
        if has(".", at: end) {
            end += 1
            while end < text.count, number(end..<end + 1) != nil { end += 1 }
            if end == 20 { return false }
        }
        if has("Z", at: end) { return end + 1 == text.count }
        guard has("+", at: end) || has("-", at: end), let hours = number(end + 1..<end + 3), has(":", at: end + 3),
            let minutes = number(end + 4..<end + 6)
        else { return false }
        return hours < 24 && minutes < 60 && end + 6 == text.count
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a text has only characters of URIs (RFC 3986), and is one to Foundation, which takes others too.
    private static func isReference(_ text: String) -> Bool {
        let marks = Set("-._~:/?#@!$&'()*+,;=%".utf8)
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            guard byte.isLetterOrDigit || marks.contains(byte) else { return false }
            guard byte == UInt8(ascii: "%") else { continue }
            let digits = bytes[(index + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { return false }
        }
        return URL(string: text) != nil
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        let marks = Set("+-.".utf8)
        return scheme.first.map { $0.isLetterOrDigit && !(48...57).contains($0) } ?? false
            && scheme.allSatisfy { $0.isLetterOrDigit || marks.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
    }

    fileprivate var isHexDigit: Bool {
        (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self)
    }
}
