import Foundation

/// What a response says about when the next request may be sent.
enum RateLimitHint {
    /// What is farther away is a mistake, of the unit perhaps, and no reason to stand still.
    static let farthest = Duration.seconds(86_400)

    /// How long no request is to be sent; nil where the response says nothing of the kind that makes sense.
    ///
    /// `Retry-After` of a 429 or 503 counts before what else is there.
    static func wait(after response: HTTPResponse, now: Date) -> Duration? {
        let fields = response.headerFields
        let isRefused = response.status == 429 || response.status == 503
        // Both dates are by the server's clock, which may be another than ours.
        let date = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        if isRefused, let text = fields[.retryAfter], let hint = RetryAfter(text, now: now) {
            return sensible(hint.wait(from: date))
        }
        let waits = [standard(fields)] + families.map { $0.wait(fields, isRefused: response.status == 429, date) }
        return waits.compactMap(sensible).max()
    }

    private static func sensible(_ wait: Duration?) -> Duration? {
        guard let wait, wait > .zero, wait <= farthest else { return nil }
        return wait
    }

    /// `RateLimit`, of draft-ietf-httpapi-ratelimit-headers: `"hour";r=0;t=50`, in earlier versions
    /// `limit=100, remaining=0, reset=50`.
    private static func standard(_ fields: HTTPFields) -> Duration? {
        guard let text = fields["RateLimit"] else { return nil }
        let policies = text.split(separator: ",").map { $0.split(separator: ";").compactMap(parameter) }
        let waits = policies.map { wait($0, remaining: "r", reset: "t") }
        let earlier = wait(policies.flatMap { $0 }, remaining: "remaining", reset: "reset")
        return (waits + [earlier]).compactMap { $0 }.max()
    }

    private static func wait(
        _ parameters: [(name: String, value: Substring)],
        remaining: String,
        reset: String
    ) -> Duration? {
        func value(_ name: String) -> Double? {
            parameters.first { $0.name == name }.flatMap { RetryAfter.seconds($0.value) }
        }
        guard value(remaining) == 0, let seconds = value(reset) else { return nil }
        return .seconds(seconds)
    }

    private static func parameter(_ text: Substring) -> (name: String, value: Substring)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (parts[0].trimmingCharacters(in: .whitespaces).lowercased(), trimmed(parts[1]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        Substring(text.trimmingCharacters(in: .whitespaces))
    }

    /// The names that are in use for the two fields that nobody has standardised.
    private static let families = ["RateLimit", "X-RateLimit", "X-Rate-Limit"].map {
        Family(remaining: $0 + "-Remaining", reset: $0 + "-Reset")
    }

    private struct Family {
        let remaining: String
        let reset: String

        /// The time until the reset, where nothing remains.
        func wait(_ fields: HTTPFields, isRefused: Bool, _ date: Date) -> Duration? {
            guard let reset = fields[reset] else { return nil }
            if let remaining = fields[remaining] {
                guard RetryAfter.seconds(remaining.trimmingCharacters(in: .whitespaces)) == 0 else { return nil }
            } else if !isRefused {
                return nil
            }
            guard let seconds = RetryAfter.seconds(reset.trimmingCharacters(in: .whitespaces)) else { return nil }
            return switch seconds {
            // No limit lasts for 30 years: it is a date, in seconds since 1970, or in milliseconds.
            case 1e12...: .seconds(seconds / 1000 - date.timeIntervalSince1970)
            case 1e9...: .seconds(seconds - date.timeIntervalSince1970)
            default: .seconds(seconds)
            }
        }
    }
}
