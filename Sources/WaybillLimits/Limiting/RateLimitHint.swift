import Waybill
import WaybillSystem

/// A hint in a response about how long to wait before the next request.
struct RateLimitHint: Equatable {
    /// The kind of field that states the wait.
    enum Source {
        /// A field that describes a limit: no requests remain until its reset.
        case reset
        /// `Retry-After`: the earliest time for another attempt by this client.
        case retryAfter
    }

    /// The time to wait before the next request.
    let wait: Duration

    /// The kind of field that states the wait.
    let source: Source

    /// The longest accepted wait; a longer one is ignored, because it may have the wrong unit.
    static let longestPlausible = Duration.seconds(86_400)

    init(wait: Duration, source: Source) {
        self.wait = wait
        self.source = source
    }

    /// Reads the hint in a response; nil if it contains no valid one.
    ///
    /// A usable `Retry-After` in a 429 or 503 takes precedence over the other fields.
    init?(in response: HTTPResponse, now: Date) {
        let fields = response.headerFields
        let isRejected = response.status == 429 || response.status == 503
        // Most responses have no such field, so their date is not parsed.
        guard isRejected || fields.containsName(where: { Self.names.contains($0.canonicalName) }) else { return nil }
        // Stated dates are relative to the server's clock, which may differ from the local one.
        let date = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        if isRejected, let text = fields[.retryAfter], let hint = RetryAfter(text, now: now),
            let wait = Self.sensible(hint.wait(from: date))
        {
            self.init(wait: wait, source: .retryAfter)
            return
        }
        let waits =
            [Self.standard(fields)] + Self.families.map { $0.wait(fields, isRejected: response.status == 429, date) }
        guard let wait = waits.compactMap(Self.sensible).max() else { return nil }
        self.init(wait: wait, source: .reset)
    }

    /// The lowercase names of the fields that can state a reset.
    private static let names = Set([standardName.lowercased()] + families.map { $0.reset.lowercased() })

    private static let standardName = "RateLimit"

    static func sensible(_ wait: Duration?) -> Duration? {
        guard let wait, wait > .zero, wait <= longestPlausible else { return nil }
        return wait
    }

    /// Reads `RateLimit` (draft-ietf-httpapi-ratelimit-headers): `"hour";r=0;t=50`, or in earlier drafts
    /// `limit=100, remaining=0, reset=50`.
    private static func standard(_ fields: HTTPFields) -> Duration? {
        guard let text = fields[standardName] else { return nil }
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
        return (parts[0].trimmed().lowercased(), trimmed(parts[1]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        Substring(text.trimmed())
    }

    /// The common prefixes of the `-Remaining` and `-Reset` fields, which are not standardized.
    static let families = ["RateLimit", "X-RateLimit", "X-Rate-Limit"].map {
        Family(remaining: $0 + "-Remaining", reset: $0 + "-Reset")
    }

    struct Family {
        let remaining: String
        let reset: String

        /// Returns the time until the reset; nil if requests remain, or if no reset is stated.
        func wait(_ fields: HTTPFields, isRejected: Bool, _ date: Date) -> Duration? {
            guard fields[reset] != nil else { return nil }
            if let remaining = fields[remaining] {
                guard RetryAfter.seconds(remaining.trimmed()) == 0 else { return nil }
            } else if !isRejected {
                return nil
            }
            return timeUntilReset(fields, date)
        }

        /// Returns the time until the reset; nil if it is not stated.
        func timeUntilReset(_ fields: HTTPFields, _ date: Date) -> Duration? {
            guard let seconds = fields[reset].flatMap({ RetryAfter.seconds($0.trimmed()) }) else { return nil }
            return switch seconds {
            // No limit lasts 30 years: the value is a date, in seconds or milliseconds since 1970.
            case 1e12...: .seconds(seconds / 1000 - date.timeIntervalSince1970)
            case 1e9...: .seconds(seconds - date.timeIntervalSince1970)
            default: .seconds(seconds)
            }
        }
    }
}
