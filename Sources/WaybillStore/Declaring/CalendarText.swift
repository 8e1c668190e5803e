import Waybill
import WaybillSystem

/// A textual date with an optional time of day, which can be shifted and written in its original format.
///
/// It supports the formats of ISO 8601 (with `T`, `_` or a space before the time; separators, seconds and zone are
/// optional) and those of HTTP and mail, such as `Thu, 01 Jan 2026 10:00:00 GMT`.
struct CalendarText: Sendable {
    /// The seconds since 1970 in the text's time zone, rounded down to its resolution.
    private var seconds: Int

    /// The digits of the fraction of a second, as written.
    private var fraction: [UInt8] = []

    /// The format of the text.
    private var layout = Layout()

    private struct Layout: Sendable {
        var isMail = false
        var weekday = ""
        var hasDashes = true
        var separator = ""
        var hasTime = false
        var hasColons = true
        var hasSeconds = false
        var point = ""
        /// The zone and everything after it.
        var suffix = ""
        var dayHasTwoDigits = true
    }

    /// The offset from UTC, in seconds; nil if the text has no recognized zone.
    private var offset: Int? {
        let zone = layout.suffix.split(separator: " ").joined().uppercased()
        if ["Z", "UTC", "GMT"].contains(zone) { return 0 }
        guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
        let digits = zone.dropFirst().prefix { $0.isNumber || $0 == ":" }.filter(\.isNumber)
        guard digits.count == 2 || digits.count == 4, let hours = Int(digits.prefix(2)) else { return nil }
        let seconds = hours * 3600 + (Int(digits.dropFirst(2)) ?? 0) * 60
        return sign == "-" ? -seconds : seconds
    }

    /// The resolution of the text in seconds, ignoring any fraction.
    private var unit: Int { layout.hasSeconds ? 1 : layout.hasTime ? 60 : 86_400 }
}

extension CalendarText {
    /// Whether one date is earlier than another, taking time zones into account if both have one.
    static func < (left: CalendarText, right: CalendarText) -> Bool {
        var (first, second) = (left.seconds, right.seconds)
        if let offset = left.offset, let other = right.offset { (first, second) = (first - offset, second - other) }
        if first != second { return first < second }
        let count = max(left.fraction.count, right.fraction.count)
        return left.padded(count).lexicographicallyPrecedes(right.padded(count))
    }

    private func padded(_ count: Int) -> [UInt8] {
        fraction + Array(repeating: UInt8(ascii: "0"), count: max(0, count - fraction.count))
    }

    /// The date, interpreted as UTC if the text has no zone.
    var date: Date { Date(timeIntervalSince1970: Double(seconds - (offset ?? 0))) }

    /// Returns the text shifted by a duration, rounded down to its original precision.
    ///
    /// The result is empty outside the years 0 to 9999.
    func shifted(by duration: Duration) -> String {
        let attoseconds = padded(18).prefix(18).reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        let sum = Duration(secondsComponent: Int64(seconds), attosecondsComponent: attoseconds) + duration
        var (whole, rest) = (Int(sum.components.seconds), sum.components.attoseconds)
        if rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000_000_000_000_000) }
        var shifted = self
        shifted.seconds = whole - (whole % unit + unit) % unit
        let digits = Array("\(rest)".utf8)
        let all = Array(repeating: UInt8(ascii: "0"), count: 18 - digits.count) + digits
        shifted.fraction = Array(all.prefix(fraction.count))
        while shifted.fraction.count < fraction.count { shifted.fraction.append(UInt8(ascii: "0")) }
        return shifted.text
    }

    /// The text in its original format; empty outside the years 0 to 9999.
    var text: String {
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
        let time = seconds - days * 86_400
        guard days >= -719_528, days <= 2_932_896 else { return "" }
        let day = CivilDate(daysSince1970: days)
        let colon = layout.hasColons ? ":" : ""
        var clock = Self.twoDigits(time / 3600) + colon + Self.twoDigits(time / 60 % 60)
        if layout.hasSeconds { clock += colon + Self.twoDigits(time % 60) }
        if !fraction.isEmpty { clock += layout.point + String(decoding: fraction, as: UTF8.self) }
        let years = String(repeating: "0", count: max(0, 4 - "\(day.year)".count)) + "\(day.year)"
        if layout.isMail {
            let weekday = layout.weekday.isEmpty ? "" : CivilDate.weekdayName(daysSince1970: days) + ", "
            let number = layout.dayHasTwoDigits ? Self.twoDigits(day.day) : "\(day.day)"
            return "\(weekday)\(number) \(day.monthName) \(years) \(clock)\(layout.suffix)"
        }
        let dash = layout.hasDashes ? "-" : ""
        let date = years + dash + Self.twoDigits(day.month) + dash + Self.twoDigits(day.day)
        return date + (layout.hasTime ? layout.separator + clock : "") + layout.suffix
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CalendarText {
    /// Parses a date; returns nil if the text is not one.
    init?(_ text: String) {
        self.init(mail: text)
        if seconds == .min { self.init(iso: text) }
        if seconds == .min { return nil }
    }

    private init(mail text: String) {
        seconds = .min
        var rest = Scanner(text)
        layout.isMail = true
        if let comma = text.firstIndex(of: ","), text[..<comma].count == 3 {
            layout.weekday = String(text[..<comma])
            rest = Scanner(String(text[text.index(after: comma)...]))
            while rest.skip(" ") {}
        }
        let start = rest.count
        guard let day = rest.number(1...2) else { return }
        layout.dayHasTwoDigits = start - rest.count == 2
        guard rest.skip(" ") || rest.skip("-"), let name = rest.word(3),
            let month = CivilDate.month(named: name.utf8),
            rest.skip(" ") || rest.skip("-"), let year = rest.number(4...4), rest.skip(" "),
            let time = rest.time(&layout, &fraction), layout.hasSeconds
        else { return }
        finish(CivilDate(year: year, month: month, day: day), time, rest)
    }

    private init(iso text: String) {
        seconds = .min
        var rest = Scanner(text)
        guard let year = rest.number(4...4) else { return }
        layout.hasDashes = rest.skip("-")
        guard let month = rest.number(2...2), rest.skip("-") == layout.hasDashes, let day = rest.number(2...2) else {
            return
        }
        var time = 0
        if let separator = ["T", "t", " ", "_"].first(where: { rest.starts(with: $0) }) {
            let before = rest
            _ = rest.skip(separator)
            if let found = rest.time(&layout, &fraction) {
                (layout.separator, layout.hasTime, time) = (separator, true, found)
            } else {
                rest = before
            }
        } else if !layout.hasDashes, rest.isDigit {
            // `20260101100000`
            guard let found = rest.time(&layout, &fraction) else { return }
            (layout.hasTime, time) = (true, found)
        }
        finish(CivilDate(year: year, month: month, day: day), time, rest)
    }

    private mutating func finish(_ day: CivilDate, _ time: Int, _ rest: Scanner) {
        layout.suffix = rest.text
        // Only a zone can follow a date without a time. Any other text that begins like a date is a revision.
        guard !rest.isDigit, layout.hasTime || layout.isMail || layout.suffix.isEmpty || offset != nil,
            day.isValid
        else { return }
        seconds = day.daysSince1970 * 86_400 + time
    }

    /// A scanner over the unread part of a text.
    private struct Scanner {
        private var characters: Substring.UTF8View

        init(_ text: String) { characters = Substring(text).utf8 }

        var count: Int { characters.count }
        var text: String { String(decoding: characters, as: UTF8.self) }
        var isDigit: Bool { characters.first.map { $0 &- 0x30 < 10 } ?? false }

        func starts(with text: String) -> Bool { characters.starts(with: text.utf8) }

        /// Skips a prefix, and returns whether it was present.
        mutating func skip(_ text: String) -> Bool {
            guard starts(with: text) else { return false }
            characters = characters.dropFirst(text.utf8.count)
            return true
        }

        mutating func number(_ lengths: ClosedRange<Int>) -> Int? {
            let digits = characters.prefix(lengths.upperBound).prefix { $0 &- 0x30 < 10 }
            guard digits.count >= lengths.lowerBound else { return nil }
            characters = characters.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        }

        mutating func word(_ count: Int) -> String? {
            let word = characters.prefix(count)
            guard word.count == count else { return nil }
            characters = characters.dropFirst(count)
            return String(decoding: word, as: UTF8.self)
        }

        /// Reads a time of day, and returns it in seconds; returns nil if there is no valid time.
        mutating func time(_ layout: inout Layout, _ fraction: inout [UInt8]) -> Int? {
            guard let hour = number(2...2), hour < 24 else { return nil }
            layout.hasColons = skip(":")
            guard let minute = number(2...2), minute < 60 else { return nil }
            var time = hour * 3600 + minute * 60
            let before = self
            if layout.hasColons ? skip(":") : isDigit, let second = number(2...2), second <= 60 {
                // A leap second counts as the second before it.
                time += min(second, 59)
                layout.hasSeconds = true
                for point in [".", ","] where skip(point) {
                    layout.point = point
                    while let digit = characters.first, digit &- 0x30 < 10 {
                        fraction.append(digit)
                        characters = characters.dropFirst()
                    }
                }
            } else {
                self = before
            }
            return time
        }
    }
}
