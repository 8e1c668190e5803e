import WaybillJSON
import WaybillSystem

extension HTTPDate {
    /// The date that a text names; a year of two digits is one near today.
    package static func date(from text: String) -> Date? { date(from: text, now: Date()) }

    /// A date in the form in which they are sent, in whole seconds, rounded down; nil outside of the years 0 to 9999.
    package static func text(from date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard writable.contains(seconds) else { return nil }
        let days = (seconds / 86_400).rounded(.down)
        let time = Int(seconds - days * 86_400)
        let (year, month, day) = ISO8601Date.civilDate(daysSince1970: Int(days))
        // 1970 began on a Thursday.
        let weekday = weekdayNames[((Int(days) % 7) + 7) % 7]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(padded(day, 2)) \(monthNames[month - 1]) \(padded(year, 4)) \(clock) GMT"
    }

    /// From 0000-01-01 to the end of 9999, in seconds since 1970.
    private static let writable = -62_167_219_200.0..<253_402_300_800.0

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let weekdayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
}
