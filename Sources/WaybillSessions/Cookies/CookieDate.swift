import Waybill
import WaybillSystem

/// A lenient parser for the dates in `Set-Cookie` (RFC 6265bis, section 5.1.1).
enum CookieDate {
    /// Parses a date that consists of a time, a day, a month and a year in any order.
    ///
    /// Returns nil if a part is missing or out of range. Time zones are ignored, since cookie dates are in UTC.
    static func date(from text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var (day, month, year): (Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clockTime(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = CivilDate.month(named: token.prefix(3)) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, let year else { return nil }
        let fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        guard fullYear >= 1601, time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
        return HTTPDate.date(
            year: fullYear,
            month: month,
            day: day,
            seconds: time.hour * 3600 + time.minute * 60 + time.second
        )
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func clockTime(_ token: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        // Only the seconds may be followed by other text.
        guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Returns the number at the start of a token; nil unless its digit count is in a range.
    ///
    /// Other text may follow the number.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: isDigit)
        guard digits.contains(prefix.count) else { return nil }
        return Int(String(decoding: prefix, as: UTF8.self))
    }
}
