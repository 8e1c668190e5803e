/// A date in the proleptic Gregorian calendar.
///
/// Inlinable, because JSON coders convert one for every date value.
@usableFromInline
package struct CivilDate: Equatable, Sendable {
    @usableFromInline package let year: Int

    /// The month, from 1 to 12 if the date is valid.
    @usableFromInline package let month: Int

    /// The day of the month, from 1 if the date is valid.
    @usableFromInline package let day: Int

    /// Creates a date, which can be invalid; see ``isValid``.
    ///
    /// - Parameters:
    ///   - year: the year; 0 is the year before 1.
    ///   - month: the month, starting at 1.
    ///   - day: the day of the month, starting at 1.
    @inlinable
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the date that is a number of days after 1970-01-01.
    ///
    /// - Parameter days: the number of days since 1970-01-01, at least -865,565 (March 1 of the year -400).
    @inlinable
    package init(daysSince1970 days: Int) {
        // Counts from March of the year -400, so that a leap day is the last day of its year.
        let (era, dayOfEra) = (days + 719_468 + 146_097).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01.
    ///
    /// The month must be valid. A day past the end of the month counts as a day of the next month.
    @inlinable package var daysSince1970: Int {
        // Years start in March here too.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether the date exists in the calendar.
    @inlinable package var isValid: Bool { 1...12 ~= month && day >= 1 && day <= daysInMonth }

    @inlinable var daysInMonth: Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDate {
    /// The month's abbreviation in HTTP and mail dates, such as `Nov`.
    package var monthName: String { Self.monthNames[month - 1] }

    /// Returns the month for an abbreviation; nil for any other text.
    ///
    /// - Parameter name: the UTF-8 bytes of the abbreviation, in any case.
    /// - Returns: the month, from 1 to 12.
    package static func month(named name: some Sequence<UInt8>) -> Int? {
        // Setting this bit lowercases letters, and turns no other byte into a letter.
        monthNames.firstIndex { $0.utf8.elementsEqual(name) { $0 | 0x20 == $1 | 0x20 } }.map { $0 + 1 }
    }

    /// Returns a weekday's abbreviation in HTTP and mail dates, such as `Sun`.
    ///
    /// - Parameter days: the number of days since 1970-01-01.
    /// - Returns: the abbreviation.
    package static func weekdayName(daysSince1970 days: Int) -> String { weekdayNames[(days % 7 + 7) % 7] }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    // 1970 began on a Thursday.
    private static let weekdayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
}
