import WaybillSystem

/// The source of the date, with which the dates of servers are compared.
///
/// ```swift
/// let client = Client(url, dates: DateProvider { Date(timeIntervalSince1970: 1_800_000_000) })
/// ```
///
/// It is a type of its own because the standard library has no protocol for dates: the instants of a `Clock` measure
/// durations and need not be dates. A plain function would take the trailing closure of a ``Client``.
public struct DateProvider: Sendable {
    private let date: @Sendable () -> Date

    /// Creates a source that is asked each time; for tests.
    public init(_ date: @escaping @Sendable () -> Date) { self.date = date }

    /// The date of the system.
    public static let system = DateProvider { Date() }

    package var now: Date { date() }
}
