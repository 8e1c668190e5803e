import Foundation

/// Other implementations that convert the text of a number.
enum Oracle {
    /// Converts by the C library, which also reads numbers that are too large or too small; nil if it leaves some of
    /// the text.
    static func double(_ text: String) -> Double? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }

    /// Converts by the C library, which also reads numbers that are too large or too small; nil if it leaves some of
    /// the text.
    static func float(_ text: String) -> Float? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtof(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }
}
