import Foundation

/// Independent implementations that convert the text of a number.
enum Oracle {
    /// Converts with the C library, which also accepts numbers out of range; nil if it does not consume the complete
    /// text.
    static func double(_ text: String) -> Double? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }

    /// Converts with the C library, which also accepts numbers out of range; nil if it does not consume the complete
    /// text.
    static func float(_ text: String) -> Float? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtof(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }
}
