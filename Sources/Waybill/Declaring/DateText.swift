import Foundation

/// How a date is written in a query or a form.
public struct DateText: Sendable {
    private let write: @Sendable (Date) -> String?

    /// A way of one's own.
    public init(_ write: @escaping @Sendable (Date) -> String) { self.write = write }

    private init(writing write: @escaping @Sendable (Date) -> String?) { self.write = write }

    /// `2026-05-01T12:00:00Z`, in UTC, with milliseconds where the date has any (RFC 3339).
    public static let iso8601 = DateText(writing: { ISO8601.text(from: $0) })

    /// `2026-05-01`, the day in UTC.
    public static let day = DateText(writing: { ISO8601.text(from: $0).map { String($0.prefix(10)) } })

    /// Whole seconds since 1970, rounded down.
    public static let secondsSince1970 = DateText(writing: { Self.whole($0.timeIntervalSince1970) })

    /// Whole milliseconds since 1970, rounded to the nearest.
    public static let millisecondsSince1970 = DateText(writing: {
        Self.whole(($0.timeIntervalSince1970 * 1000).rounded())
    })

    /// The date's text; nil for one that the form cannot write, and for one whose interval is NaN or infinite.
    package func text(of date: Date) -> String? { date.timeIntervalSince1970.isFinite ? write(date) : nil }

    private static func whole(_ interval: TimeInterval) -> String? {
        Int64(exactly: interval.rounded(.down)).map { "\($0)" }
    }
}
