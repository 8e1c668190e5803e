/// A form of dates that a value seems to have, for the strategy that an error names.
package enum DateForm: Sendable {
    case iso8601, day, httpDate, seconds, milliseconds, secondsText, millisecondsText

    /// Finds the form of a text, which need not be a date in that form; nil for an unknown one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(64))
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        if !bytes.isEmpty, bytes.count <= 20, bytes.allSatisfy(isDigit) {
            self = bytes.count < Self.millisecondDigits ? .secondsText : .millisecondsText
        } else if text.hasSuffix(" GMT"), text.contains(", ") {
            self = .httpDate
        } else {
            let isDay =
                bytes.count >= 10
                && bytes.prefix(10).enumerated().allSatisfy { index, byte in
                    index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
                }
            guard isDay else { return nil }
            self = bytes.count == 10 ? .day : .iso8601
        }
    }

    /// Creates the form of a number with so many digits before the point.
    package init(digits count: Int) { self = count < Self.millisecondDigits ? .seconds : .milliseconds }

    /// From 12 digits on, a number of seconds would be a date after the year 5138.
    private static let millisecondDigits = 12

    /// The strategy as a declaration writes it.
    package var strategy: String {
        switch self {
        case .iso8601: ".iso8601"
        case .day: ".formatted { formatter.date(from: $0) }"
        case .httpDate: ".httpDate"
        case .seconds: ".secondsSince1970"
        case .milliseconds: ".millisecondsSince1970"
        case .secondsText: ".secondsSince1970Text"
        case .millisecondsText: ".millisecondsSince1970Text"
        }
    }
}
