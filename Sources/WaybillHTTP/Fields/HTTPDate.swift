import WaybillSystem

/// HTTP dates (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Parses a date in the current format or one of the two obsolete formats.
    ///
    /// ```text
    /// Sun, 06 Nov 1994 08:49:37 GMT
    /// Sunday, 06-Nov-94 08:49:37 GMT
    /// Sun Nov  6 08:49:37 1994
    /// ```
    ///
    /// The day of the week is not checked against the date.
    ///
    /// - Parameters:
    ///   - text: the field value.
    ///   - now: the current date; a two-digit year resolves to the closest matching year.
    /// - Returns: the date; nil if the text is not a valid date.
    package static func date(from text: String, now: Date) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.lowercased().split(whereSeparator: { ", -\t".contains($0) }).map(String.init)
        guard words.count >= 5, weekdays.contains(where: { words[0] == $0 || words[0] == $0.prefix(3) }) else {
            return nil
        }
        switch words.count {
        // In the `asctime` format, the year comes last, after the time.
        case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3], now)
        case 6 where words[5] == "gmt" || words[5] == "utc":
            return date(day: words[1], month: words[2], year: words[3], time: words[4], now)
        default: return nil
        }
    }

    /// Whether a text exactly matches one of the three formats; ``date(from:now:)`` also accepts variants.
    package static func isWellFormed(_ text: String) -> Bool {
        let layout = text.utf8.map { byte in
            switch byte {
            case 0x30...0x39: UInt8(ascii: "9")
            case 0x41...0x5A, 0x61...0x7A: UInt8(ascii: "a")
            default: byte
            }
        }
        let isCurrent = layout.elementsEqual("aaa, 99 aaa 9999 99:99:99 aaa".utf8)
        let isRFC850 = layout.drop { $0 == UInt8(ascii: "a") }.elementsEqual(", 99-aaa-99 99:99:99 aaa".utf8)
        if isCurrent || isRFC850 { return text.suffix(3).uppercased() == "GMT" }
        return ["aaa aaa 99 99:99:99 9999", "aaa aaa  9 99:99:99 9999"].contains { layout.elementsEqual($0.utf8) }
    }

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private static func date(day: String, month: String, year: String, time: String, _ now: Date) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
            number(String($0), digits: 2...2)
        }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60,  // 60 is a leap second
            let month = CivilDate.month(named: month.utf8), let day = number(day, digits: 1...2),
            let year = fullYear(year, now)
        else { return nil }
        return date(year: year, month: month, day: day, seconds: hour * 3600 + minute * 60 + second)
    }

    /// Returns a date in UTC; nil if it does not exist in the calendar.
    ///
    /// - Parameters:
    ///   - year: the year.
    ///   - month: the month, from 1 to 12.
    ///   - day: the day of the month, starting at 1.
    ///   - seconds: the seconds since midnight.
    /// - Returns: the date.
    package static func date(year: Int, month: Int, day: Int, seconds: Int) -> Date? {
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isValid else { return nil }
        let interval = Double(date.daysSince1970) * 86_400 + Double(seconds)
        // A leap second at the end of 9999 would fall into the year 10000, which the formats cannot express.
        return Date(timeIntervalSince1970: min(interval, 253_402_300_799))
    }

    private static func fullYear(_ text: String, _ now: Date) -> Int? {
        if let year = number(text, digits: 4...4) { return year }
        guard let short = number(text, digits: 2...2) else { return nil }
        let thisYear = Int((now.timeIntervalSince1970 / 86_400 / 365.2425).rounded(.down)) + 1970
        let year = thisYear - thisYear % 100 + short
        if year > thisYear + 50 { return year - 100 }
        return year <= thisYear - 50 ? year + 100 : year
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
