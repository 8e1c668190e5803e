import Waybill
import WaybillSystem

/// The time of an item's last change, in the server's format.
///
/// It is a number, a string of digits, or a date. Any other string is a revision that can only be compared.
struct ServerTime: Sendable, Equatable {
    let value: JSONValue

    /// Creates a time; returns nil if the value cannot be one.
    init?(_ value: JSONValue?) {
        guard let value, value.decimalValue != nil || value.stringValue.map({ !$0.isEmpty }) ?? false else {
            return nil
        }
        self.value = value
    }

    private var calendar: CalendarText? { value.stringValue.flatMap { CalendarText($0) } }

    /// The numeric value; nil for a date or any other string.
    private var number: Decimal? {
        if let number = value.decimalValue { return number }
        guard let text = value.stringValue, Self.isNumber(text), CalendarText(text) == nil else { return nil }
        return Decimal(string: text)
    }

    private static func isNumber(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    }

    /// Returns the later of two times; this one if their formats differ.
    func later(_ other: ServerTime) -> ServerTime {
        if let number, let otherNumber = other.number { return otherNumber > number ? other : self }
        if let calendar, let otherCalendar = other.calendar { return calendar < otherCalendar ? other : self }
        guard let text = value.stringValue, let otherText = other.value.stringValue else { return self }
        return otherText > text ? other : self
    }

    /// The time as sent in a query item.
    var text: String { value.stringValue ?? value.description }

    /// Returns the time shifted by a duration, in the same format and truncated to the same number of digits.
    ///
    /// A string that is not a time is returned unchanged.
    func shifted(by duration: Duration) -> ServerTime {
        if let number { return Self.shifted(number, by: duration, like: value).flatMap { ServerTime($0) } ?? self }
        guard let shifted = calendar?.shifted(by: duration), !shifted.isEmpty else { return self }
        return ServerTime(.string(shifted)) ?? self
    }

    /// Whether the value is a clock time rather than a revision that looks like a number.
    ///
    /// - Parameter date: a date at which the value was current. A number is a clock time if it is within a day of this
    ///   date.
    /// - Returns: whether the value is a clock time.
    func isClockTime(around date: Date) -> Bool {
        if let number {
            let difference = number / Self.unit(of: number) - Decimal(date.timeIntervalSince1970)
            return abs(difference) < 86_400
        }
        guard let calendar else { return false }
        return !Self.isNumber(text) || abs(calendar.date.timeIntervalSince(date)) < 86_400
    }

    /// Returns the units per second, inferred from the magnitude of a number of seconds, milliseconds, microseconds or
    /// nanoseconds since 1970.
    private static func unit(of number: Decimal) -> Decimal {
        switch abs(number) {
        case ..<100_000_000_000: 1
        case ..<100_000_000_000_000: 1_000
        case ..<100_000_000_000_000_000: 1_000_000
        default: 1_000_000_000
        }
    }

    private static func shifted(_ number: Decimal, by duration: Duration, like value: JSONValue) -> JSONValue? {
        let (seconds, attoseconds) = duration.components
        let amount = (Decimal(seconds) + Decimal(attoseconds) / 1_000_000_000_000_000_000) * unit(of: number)
        let shown = value.stringValue ?? value.description
        let digits = shown.split(separator: ".").dropFirst().first?.count ?? 0
        // A revision does not become negative.
        let shifted = number >= 0 ? max(0, number + amount) : number + amount
        let parts = shifted.description.split(separator: ".")
        guard digits > 0 else { return text(String(parts[0]), like: value) }
        let fraction = (parts.dropFirst().first ?? "").prefix(digits)
        let missing = String(repeating: "0", count: digits - fraction.count)
        return text("\(parts[0]).\(fraction)\(missing)", like: value)
    }

    private static func text(_ text: String, like value: JSONValue) -> JSONValue? {
        value.stringValue == nil ? Decimal(string: text).map { JSONValue($0) } : .string(text)
    }
}
