import Foundation

/// Other implementations that tell what a number's text means.
enum Oracle {
    /// By the C library, which also reads what is too large or too small; nil where it leaves some of the text.
    static func double(_ text: String) -> Double? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }

    /// By the C library, which also reads what is too large or too small; nil where it leaves some of the text.
    static func float(_ text: String) -> Float? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtof(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == text.utf8.count ? value : nil
        }
    }
}
