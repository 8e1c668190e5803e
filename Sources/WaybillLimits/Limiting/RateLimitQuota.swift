import Waybill
import WaybillSystem

/// A quota reported in a response: the number of remaining requests, and the time until its renewal.
struct RateLimitQuota: Equatable {
    /// A server's policy: a number of requests per time window.
    struct Policy: Equatable {
        let quota: Int
        let window: Duration
    }

    /// The name that identifies the quota in later responses.
    let name: String

    let remaining: Int

    /// The time until the quota is renewed.
    let reset: Duration

    /// The policy; nil if the server states none.
    var policy: Policy?

    /// Reads the quotas in a response; empty if it reports none.
    ///
    /// Quotas in units other than requests, such as bytes, are ignored, as are non-numeric values and resets that are
    /// nonpositive or more than a day ahead.
    static func all(in response: HTTPResponse, now: Date) -> [RateLimitQuota] {
        let fields = response.headerFields
        let date = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return standard(fields)
            + RateLimitHint.families.compactMap { family in
                guard let remaining = fields[family.remaining].flatMap(count),
                    let reset = RateLimitHint.sensible(family.timeUntilReset(fields, date))
                else { return nil }
                return RateLimitQuota(name: family.remaining, remaining: remaining, reset: reset)
            }
    }

    /// Reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): `"hour";r=50;t=30` and
    /// `"hour";q=100;w=3600`, or in earlier drafts `limit=100, remaining=50, reset=30` and `100;w=3600`.
    private static func standard(_ fields: HTTPFields) -> [RateLimitQuota] {
        guard let text = fields["RateLimit"] else { return [] }
        let items = RateLimitItem.all(in: text).prefix(LimitCounter.mostWindows)
        let policies = fields["RateLimit-Policy"].map(RateLimitItem.all) ?? []
        guard items.contains(where: { $0.name.contains("=") && !$0.name.hasPrefix("\"") }) else {
            return items.compactMap { item in
                let policy = policies.first { $0.name == item.name && $0["pk"] == item["pk"] }
                return quota(item, remaining: "r", reset: "t", policy, quota: policy?["q"])
            }
        }
        let item = RateLimitItem(parameters: items.flatMap { [$0.name] + $0.parameters })
        let policy = policies.first { $0.name == item["limit"] }
        return [quota(item, remaining: "remaining", reset: "reset", policy, quota: policy?.name)].compactMap { $0 }
    }

    private static func quota(
        _ item: RateLimitItem,
        remaining: String,
        reset: String,
        _ policy: RateLimitItem?,
        quota: String?
    ) -> RateLimitQuota? {
        if let unit = policy?["qu"], unit != "requests" { return nil }
        let window = RateLimitHint.sensible(policy?["w"].flatMap(RetryAfter.seconds).map(Duration.seconds))
        // Without a reset, assume that the window has just begun.
        let stated = item[reset].map { RateLimitHint.sensible(RetryAfter.seconds($0).map(Duration.seconds)) }
        guard let remaining = item[remaining].flatMap(count), let reset = stated ?? window else { return nil }
        return RateLimitQuota(
            name: "RateLimit \(item.name) \(item["pk"] ?? "")",
            remaining: remaining,
            reset: reset,
            policy: quota.flatMap(count).flatMap { quota in window.map { Policy(quota: quota, window: $0) } }
        )
    }

    /// Parses a count; returns nil unless it consists of digits only.
    private static func count(_ text: String) -> Int? {
        let text = text.trimmed()
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

/// An item with parameters in a list (RFC 9651, section 3.1): `"hour";r=50;t=30`.
private struct RateLimitItem {
    let name: String
    /// The unparsed parameters, such as `r=50`.
    let parameters: [String]

    init(name: String = "", parameters: [String]) {
        self.name = name
        self.parameters = parameters
    }

    /// Reads the items of a list; any text is accepted.
    static func all(in text: String) -> [RateLimitItem] {
        split(text, at: ",").map { item in
            let parts = split(item, at: ";")
            return RateLimitItem(name: parts.first ?? "", parameters: Array(parts.dropFirst()))
        }
    }

    /// The value of a parameter without quotation marks; nil if it is missing.
    subscript(name: String) -> String? {
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmed().lowercased() == name else { continue }
            let value = parts[1].trimmed()
            return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }

    /// Splits a text at a separator outside quoted strings, and trims the parts.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts.map { String($0.trimmed()) }
    }
}
