import WaybillJSON
import WaybillSystem

/// Conversions for RFC 3339 dates, which use the Gregorian calendar for all years.
package enum ISO8601 {
    /// Parses a date with or without fractional seconds; nil for any other text.
    package static func date(from text: String) -> Date? { ISO8601Date.parse(text) }

    /// Returns the text of a date in UTC, with milliseconds unless they are zero; nil if the year is outside 0 to 9999.
    package static func text(from date: Date) -> String? {
        ISO8601Date.written(date, roundedToMilliseconds: true).flatMap { $0.offset == 0 ? text($0) : nil }
    }

    /// Returns the text of a date, in UTC if possible.
    ///
    /// If the UTC year is outside 0 to 9999, the text uses the nearest time zone in which the year is in that range.
    ///
    /// - Parameters:
    ///   - date: the date.
    ///   - withMilliseconds: whether to include milliseconds that are not zero.
    /// - Returns: the text; nil if no time zone is suitable.
    package static func zonedText(from date: Date, withMilliseconds: Bool = true) -> String? {
        ISO8601Date.written(date, roundedToMilliseconds: withMilliseconds).map(text)
    }

    private static func text(_ written: ISO8601Date.Written) -> String {
        let milliseconds = written.milliseconds
        // The milliseconds of a day fit into a 32-bit `Int`; those since 1970 do not.
        let days = (milliseconds / 86_400_000).rounded(.down)
        let time = Int(milliseconds - days * 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        let calendar = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        return "\(calendar)T\(clock)\(fraction > 0 ? "." + padded(fraction, 3) : "")\(zone(written.offset))"
    }

    private static func zone(_ offset: Int) -> String {
        guard offset != 0 else { return "Z" }
        return "\(offset < 0 ? "-" : "+")\(padded(abs(offset) / 60, 2)):\(padded(abs(offset) % 60, 2))"
    }

    /// Returns the reason that a date cannot be represented.
    package static func reason(against date: Date) -> String {
        ISO8601Date.reason(against: date)
    }
}

extension HTTPDate {
    /// Parses a date.
    ///
    /// A two-digit year is interpreted relative to the current year.
    package static func date(from text: String) -> Date? { date(from: text, now: Date()) }

    /// Returns the text of a date in whole seconds, rounded down; nil if the year is outside 0 to 9999.
    package static func text(from date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard writable.contains(seconds) else { return nil }
        let days = (seconds / 86_400).rounded(.down)
        let time = Int(seconds - days * 86_400)
        let date = CivilDate(daysSince1970: Int(days))
        let weekday = CivilDate.weekdayName(daysSince1970: Int(days))
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(padded(date.day, 2)) \(date.monthName) \(padded(date.year, 4)) \(clock) GMT"
    }

    /// The seconds since 1970 from the start of year 0 to the end of year 9999.
    private static let writable = -62_167_219_200.0..<253_402_300_800.0
}

/// Returns the digits of a number, padded with leading zeros.
private func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
