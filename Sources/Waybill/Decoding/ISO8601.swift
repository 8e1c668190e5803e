import Foundation

/// Dates as RFC 3339 writes them.
package enum ISO8601 {
    /// The date that a text names, with or without fractions of a second; nil where it names none.
    package static func date(from text: String) -> Date? {
        (try? plain.parse(text)) ?? (try? fractional.parse(text))
    }

    /// The text of a date in UTC, with milliseconds where the date has any.
    package static func text(from date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0 ? plain.format(date) : fractional.format(date)
    }

    private static let plain = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
