import Foundation

/// When a server wants the next request: the value of `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter: Sendable, Hashable {
    /// So long after the response.
    case delay(Duration)
    /// At a date of the server's clock.
    case date(Date)

    /// Reads a field's value: a number of seconds, with decimals from servers that give them, or a date; nil for
    /// anything else.
    package init?(_ text: String, now: Date) {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Self.seconds(text) {
            self = .delay(.seconds(seconds))
        } else if let date = HTTPDate.date(from: text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// How long to wait from a date on; nil where that is no time.
    package func wait(from now: Date) -> Duration? {
        let wait =
            switch self {
            case .delay(let delay): delay
            case .date(let date): Duration.seconds(date.timeIntervalSince(now))
            }
        return wait > .zero ? wait : nil
    }

    /// A number of seconds that is written in digits: no sign, no exponent, not more than a clock could count.
    package static func seconds(_ text: some StringProtocol) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count <= 2, isNumber, let seconds = Double(text), seconds < 1e15 else { return nil }
        return seconds
    }
}
