import Foundation
import WaybillJSON

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The date that a text names in one of the three forms that recipients take; nil where it names none.
    ///
    /// A year of two digits is one of 1970 to 2069.
    package static func date(from text: String) -> Date? {
        let parts = text.split { ", -".contains($0) }
        let pieces: (day: Substring, month: Substring, year: Substring, time: Substring)
        if parts.count == 6, parts[5] == "GMT" {
            pieces = (parts[1], parts[2], parts[3], parts[4])
        } else if parts.count == 5 {
            pieces = (parts[2], parts[1], parts[4], parts[3])
        } else {
            return nil
        }
        guard let month = months.firstIndex(of: String(pieces.month)), let year = year(pieces.year),
            (1...2).contains(pieces.day.utf8.count), pieces.time.utf8.count == 8
        else { return nil }
        let day = pieces.day.utf8.count == 1 ? "0\(pieces.day)" : "\(pieces.day)"
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return ISO8601Date.parse("\(year)-\(number)-\(day)T\(pieces.time)Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func year(_ text: Substring) -> String? {
        switch text.utf8.count {
        case 4: String(text)
        case 2: Int(text).map { $0 >= 70 ? "19\(text)" : "20\(text)" }
        default: nil
        }
    }
}
