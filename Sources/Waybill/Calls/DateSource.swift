import Foundation

/// Where the date comes from, with which the dates of servers are compared.
///
/// ```swift
/// let client = Client(url, dates: DateSource { Date(timeIntervalSince1970: 1_800_000_000) })
/// ```
public struct DateSource: Sendable {
    private let date: @Sendable () -> Date

    /// A source that is asked each time; for tests.
    public init(_ date: @escaping @Sendable () -> Date) { self.date = date }

    /// The date of the system.
    public static let system = DateSource { Date() }

    package var now: Date { date() }
}
