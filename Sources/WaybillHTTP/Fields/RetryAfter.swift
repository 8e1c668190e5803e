import WaybillSystem

/// The value of a `Retry-After` field: the earliest time to send another request (RFC 9110, section 10.2.3).
package enum RetryAfter: Sendable, Hashable {
    /// A delay from the time of the response.
    case delay(Duration)
    /// A date on the server's clock.
    case date(Date)

    /// Parses a field value: a date, or seconds, which may have decimals; returns nil for any other text.
    package init?(_ text: String, now: Date) {
        let text = text.trimmed()
        if let seconds = Self.seconds(text) {
            self = .delay(.seconds(min(seconds, Self.maximumSeconds)))
        } else if let date = HTTPDate.date(from: text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// The longest delay, in seconds: about 30 years.
    ///
    /// System clocks trap on durations that overflow 64 bits of nanoseconds.
    private static let maximumSeconds = 1e9

    /// Returns the time to wait from the given date, at most about 30 years; nil if it is not positive.
    package func wait(from now: Date) -> Duration? {
        let wait =
            switch self {
            case .delay(let delay): delay
            case .date(let date): Duration.seconds(min(date.timeIntervalSince(now), Self.maximumSeconds))
            }
        return wait > .zero ? wait : nil
    }

    /// Parses a number of seconds without a sign or an exponent.
    ///
    /// Values above 10^15 are clamped, because a value that is too large must not count as missing (RFC 9111, section
    /// 1.2.2).
    package static func seconds(_ text: some StringProtocol) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count <= 2, isNumber, let seconds = Double(text) else { return nil }
        return min(seconds, 1e15)
    }
}
