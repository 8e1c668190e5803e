import WaybillSystem

/// The text of a date in a query, a form, or the JSON of a request.
///
/// ```swift
/// Query("since", date, as: .secondsSince1970)
/// Bodies(as: .form(dates: .day))
/// Encode(dates: .text(.httpDate))
/// ```
public struct DateText: Sendable {
    /// The form as a declaration writes it.
    package let name: String

    private let write: @Sendable (Date) -> String?

    /// Creates a form of the app's own.
    public init(_ write: @escaping @Sendable (Date) -> String) { self.init("custom", writing: write) }

    private init(_ name: String, writing write: @escaping @Sendable (Date) -> String?) {
        self.name = name
        self.write = write
    }

    /// `2026-05-01T12:00:00Z`, in UTC, with milliseconds if the date has any (RFC 3339).
    public static let iso8601 = DateText("iso8601", writing: { ISO8601.text(from: $0) })

    /// Returns `2026-05-01T14:00:00`, the time of day in a zone, which the text does not name.
    ///
    /// Milliseconds are written if the date has any.
    public static func iso8601WithoutZone(in zone: TimeZone) -> DateText {
        DateText("iso8601WithoutZone(in: \(zone.identifier))") { date in
            ISO8601.text(from: date + TimeInterval(zone.secondsFromGMT(for: date))).map { String($0.dropLast()) }
        }
    }

    /// `2026-05-01`, the day in UTC.
    public static let day = DateText("day", writing: { ISO8601.text(from: $0).map { String($0.prefix(10)) } })

    /// `Fri, 01 May 2026 12:00:00 GMT`, as header fields have it (RFC 9110, section 5.6.7).
    public static let httpDate = DateText("httpDate", writing: { HTTPDate.text(from: $0) })

    /// Whole seconds since 1970, rounded down.
    public static let secondsSince1970 = DateText("secondsSince1970", writing: { Self.whole($0.timeIntervalSince1970) })

    /// Whole milliseconds since 1970, rounded to the nearest.
    public static let millisecondsSince1970 = DateText(
        "millisecondsSince1970",
        writing: { Self.whole(($0.timeIntervalSince1970 * 1000).rounded()) }
    )

    /// Returns the date's text; nil for one that the form cannot write, and for one whose interval is NaN or infinite.
    package func text(of date: Date) -> String? { date.timeIntervalSince1970.isFinite ? write(date) : nil }

    private static func whole(_ interval: TimeInterval) -> String? {
        Int64(exactly: interval.rounded(.down)).map { "\($0)" }
    }
}

extension DateText: CustomStringConvertible {
    /// The form as a declaration writes it.
    public var description: String { name }
}
