import WaybillSystem

/// Parsing and formatting of RFC 3339 dates without a `DateFormatter`.
package enum ISO8601Date {
    /// Parses a date; nil if the text is not a valid date.
    package static func parse(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Parses a date; nil if the text is not a valid date.
    ///
    /// Date and time are separated by `T`, in either case, or by a space. Seconds can have a fraction of any length
    /// after a period or a comma. The offset is `Z`, `+01:00`, `+0100` or `+01`. All years use the Gregorian calendar,
    /// as ISO 8601 requires, and a leap second is treated as the second after it. A time at the end of the year 9999 is
    /// not rounded up to the year 10000, which RFC 3339 cannot express.
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"),
            let century = twoDigits(text, 0), let yearOfCentury = twoDigits(text, 2),
            let month = twoDigits(text, 5), let day = twoDigits(text, 8),
            let hour = twoDigits(text, 11), let minute = twoDigits(text, 14), let second = twoDigits(text, 17)
        else { return nil }
        let date = CivilDate(year: century * 100 + yearOfCentury, month: month, day: day)
        guard date.isValid, hour < 24, minute < 60, second <= 60 else { return nil }

        var index = 19
        var fraction = 0.0
        if text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",") {
            index += 1
            let first = index
            var digits: UInt64 = 0
            var scale = 1.0
            while index < text.count, text[index] &- 0x30 < 10 {
                // For dates in this century, 15 digits exceed the precision of `Double`.
                if index - first < 15 {
                    digits = digits * 10 + UInt64(text[index] &- 0x30)
                    scale *= 10
                }
                index += 1
            }
            guard index > first else { return nil }
            fraction = Double(digits) / scale
        }
        guard let offset = offset(text, index) else { return nil }
        // The number of seconds overflows a 32-bit `Int`.
        let midnight = Double(date.daysSince1970 - daysTo2001) * 86_400
        let seconds = midnight + Double(hour * 3600 + minute * 60 + second - offset)
        let isWithinRange = seconds - (second == 60 ? 1 : 0) < endOfRange
        let end = isWithinRange ? endOfRange.nextDown : .infinity
        return Date(timeIntervalSinceReferenceDate: min(seconds + fraction, end))
    }

    /// The number of days from 1970-01-01 to 2001-01-01, Foundation's reference date.
    private static let daysTo2001 = 11_323

    /// The end of the year 9999 in UTC, in seconds since 2001.
    private static let endOfRange = 252_423_993_600.0

    /// The dates that RFC 3339 can express, in milliseconds since 1970: 0000-01-01 to the end of 9999.
    private static let writable = -62_167_219_200_000.0..<253_402_300_800_000.0

    /// A local date and time that RFC 3339 can express.
    package struct Written {
        /// The local time, which includes the offset, in milliseconds since 1970.
        package var milliseconds: Double
        /// The offset from UTC in minutes; positive east of Greenwich.
        package var offset = 0
    }

    /// Converts a date to a local date and time that RFC 3339 can express; nil if no offset makes that possible.
    ///
    /// The offset is 0 if the date is in the years 0 to 9999 in UTC. Otherwise, it is the smallest offset in whole
    /// hours that brings the date into these years, or 23:59. A time at the end of the year 9999 is not rounded up.
    ///
    /// - Parameters:
    ///   - date: the date.
    ///   - isRounded: whether to round to the nearest millisecond; otherwise the date is rounded down to a second.
    /// - Returns: the local time and its offset.
    package static func written(_ date: Date, roundedToMilliseconds isRounded: Bool) -> Written? {
        let interval = date.timeIntervalSince1970
        var milliseconds = isRounded ? (interval * 1000).rounded() : interval.rounded(.down) * 1000
        if milliseconds == writable.upperBound, interval * 1000 < milliseconds { milliseconds -= 1 }
        if writable.contains(milliseconds) { return Written(milliseconds: milliseconds) }
        let isLate = milliseconds >= writable.upperBound
        let missing = isLate ? milliseconds - writable.upperBound + 1 : writable.lowerBound - milliseconds
        // The largest offset is 23:59.
        guard missing <= 86_340_000 else { return nil }
        let offset = min((Int(missing) + 3_599_999) / 3_600_000 * 60, 1439) * (isLate ? -1 : 1)
        return Written(milliseconds: milliseconds + Double(offset) * 60_000, offset: offset)
    }

    /// Parses a date, interpreting text without an offset in the given time zone.
    package static func parse(_ text: String, assuming zone: TimeZone) -> Date? {
        if let date = parse(text) { return date }
        guard let asUTC = parse(text + "Z") else { return nil }
        // The offset depends on the resulting moment, so it is looked up for an approximation first.
        let approximation = asUTC - TimeInterval(zone.secondsFromGMT(for: asUTC))
        return asUTC - TimeInterval(zone.secondsFromGMT(for: approximation))
    }

    /// Returns an explanation of why text is not a valid date.
    package static func reason(against text: String) -> String {
        let shown = "\"\(text.prefix(60))\""
        switch DateForm(text) {
        case nil, .iso8601: break
        case .day where parse(text + "T00:00:00Z") == nil: break
        case let form?:
            return "\(shown) is not an ISO 8601 date such as 2026-05-01T12:00:00Z; declare its form:"
                + " Decode(dates: \(form.strategy))."
        }
        guard parse(text + "Z") != nil else { return "\(shown) is not an ISO 8601 date such as 2026-05-01T12:00:00Z." }
        return "\(shown) has no time zone, which ISO 8601 dates such as 2026-05-01T12:00:00Z have; if the zone is "
            + "known, declare it: Decode(dates: .iso8601(assuming: .gmt))."
    }

    /// Returns the offset from UTC in seconds; nil if the text does not end with a valid offset.
    private static func offset(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        guard index < text.count else { return nil }
        if text[index] | 0x20 == UInt8(ascii: "z") { return index + 1 == text.count ? 0 : nil }
        guard text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"), index + 3 <= text.count,
            let hours = twoDigits(text, index + 1), hours < 24
        else { return nil }
        var minutes = 0
        if index + 3 < text.count {
            let first = text[index + 3] == UInt8(ascii: ":") ? index + 4 : index + 3
            guard first + 2 == text.count, let given = twoDigits(text, first), given < 60 else { return nil }
            minutes = given
        }
        let seconds = hours * 3600 + minutes * 60
        return text[index] == UInt8(ascii: "-") ? -seconds : seconds
    }

    @inline(__always)
    private static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        let tens = text[index] &- 0x30
        let ones = text[index + 1] &- 0x30
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
