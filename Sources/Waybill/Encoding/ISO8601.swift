import Foundation

/// Dates as RFC 3339 writes them.
package enum ISO8601 {
    /// The date that a text names, with or without fractions of a second; nil where it names none.
    package static func date(from text: String) -> Date? {
        (try? plain.parse(text)) ?? (try? fractional.parse(text))
    }

    /// The text of a date in UTC, with milliseconds where the date has any; nil for a date outside of the years 1 to
    /// 9999, which the format cannot write.
    ///
    /// Before 1582 Foundation's style counts by the Julian calendar, when it reads as well as when it writes.
    package static func text(from date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard writable.contains(milliseconds) else { return nil }
        let seconds = (milliseconds / 1000).rounded(.down)
        let text = plain.format(Date(timeIntervalSince1970: seconds))
        let fraction = Int(milliseconds - seconds * 1000)
        guard fraction > 0 else { return text }
        let digits = "\(fraction)"
        return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// From 0001-01-01 to the end of 9999, in milliseconds since 1970.
    private static let writable = -62_135_769_600_000.0..<253_402_300_800_000.0

    private static let plain = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
