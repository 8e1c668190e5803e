import Waybill
import WaybillSystem

/// Parsing and formatting of HAR times, in milliseconds.
enum ReportTime {
    /// The longest duration shown: 1,000 days.
    static let longest = 1000.0 * 86_400_000

    /// Returns a duration, or nil if it is missing, negative (which means unknown) or not a number.
    static func duration(_ json: JSONValue?) -> Double? {
        guard let value = json?.doubleValue, value >= 0 else { return nil }
        return min(value, longest)
    }

    /// Returns an ISO 8601 date and time, such as `2026-11-25T15:45:59.123+01:00`, in milliseconds since 1970; nil for
    /// any other text.
    ///
    /// Tools write several variants, and a Foundation parser accepts only one at a time.
    static func milliseconds(_ text: String) -> Double? {
        var rest = Substring(text)
        guard let year = number(&rest, 4, after: nil), let month = number(&rest, 2, after: "-"),
            let day = number(&rest, 2, after: "-"), let hour = number(&rest, 2, after: "T"),
            let minute = number(&rest, 2, after: ":"), let second = number(&rest, 2, after: ":"),
            1...12 ~= month, 1...31 ~= day
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        var milliseconds = Double(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
        if rest.first == "." || rest.first == "," {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            milliseconds += (Double("0.\(digits)") ?? 0) * 1000
            rest = rest.dropFirst().drop { $0.isASCII && $0.isNumber }
        }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return milliseconds }
        rest = rest.dropFirst()
        guard let hours = number(&rest, 2, after: nil) else { return milliseconds }
        if rest.first == ":" { rest = rest.dropFirst() }
        let offset = Double(hours * 60 + (number(&rest, 2, after: nil) ?? 0)) * 60_000
        return milliseconds + (sign == "+" ? -offset : offset)
    }

    private static func number(_ rest: inout Substring, _ count: Int, after separator: Character?) -> Int? {
        if let separator {
            guard rest.first == separator else { return nil }
            rest = rest.dropFirst()
        }
        let digits = rest.prefix(count)
        guard digits.utf8.count == count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(count)
        return Int(digits)
    }

    /// Returns a human-readable duration.
    static func text(_ milliseconds: Double) -> String {
        Duration.microseconds(Int((min(milliseconds, longest) * 1000).rounded())).shown
    }
}
