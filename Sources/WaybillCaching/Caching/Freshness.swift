import Waybill
import WaybillSystem

/// The age and freshness of a response (RFC 9111, section 4.2).
extension StoredResponse {
    /// The longest heuristic freshness lifetime, in seconds: one day.
    static var longestHeuristicLifetime: Double { 86_400 }

    /// Returns the age in seconds: the age stated by the server, the time in transit and the time in the cache.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseDate.timeIntervalSince(date))
        let stated = headerFields[values: .age].first.flatMap { value in
            CacheControl.seconds(in: String(value.prefix { $0 != "," && $0 != " " }))
        }
        let delay = max(0, responseDate.timeIntervalSince(requestDate))
        return max(apparent, (stated ?? 0) + delay) + max(0, now.timeIntervalSince(responseDate))
    }

    /// The date when the server generated the response; if the server states no valid date, the arrival date.
    var date: Date { statedDate ?? responseDate }

    /// The date in the `Date` field; nil if it is missing or invalid.
    var statedDate: Date? { headerFields[.date].flatMap { HTTPDate.date(from: $0) } }

    /// Returns the freshness lifetime in seconds; zero if it is unknown or invalid.
    ///
    /// - Parameter allowsHeuristicFreshness: whether to use a tenth of the time from `Last-Modified` to `Date` if the
    ///   server states no lifetime.
    /// - Returns: the lifetime in seconds.
    func lifetime(allowsHeuristicFreshness: Bool) -> Double {
        switch control.seconds("max-age") {
        case .valid(let seconds): return seconds
        case .invalid: return 0
        case .absent: break
        }
        let expires = Set(headerFields[values: .expires])
        if !expires.isEmpty {
            guard expires.count == 1, let text = expires.first, HTTPDate.isWellFormed(text),
                let end = HTTPDate.date(from: text)
            else { return 0 }
            return min(max(0, end.timeIntervalSince(date)), 2_147_483_648)
        }
        guard allowsHeuristicFreshness, Self.heuristicallyCacheable.contains(status.code) || control.contains("public"),
            let change = headerFields[.lastModified].flatMap({ HTTPDate.date(from: $0) })
        else { return 0 }
        return min(max(0, date.timeIntervalSince(change) / 10), Self.longestHeuristicLifetime)
    }

    /// Whether the server states a freshness lifetime.
    var hasExplicitLifetime: Bool { control.contains("max-age") || headerFields.contains(.expires) }

    /// Whether the response has a validator: an entity tag or a valid `Last-Modified` date.
    var hasValidator: Bool { headerFields.entityTag != nil || lastModifiedText != nil }

    /// The text of the `Last-Modified` field; nil if it is missing or not a date.
    var lastModifiedText: String? {
        headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) == nil ? nil : $0 }
    }

    /// The heuristically cacheable statuses (RFC 9110, section 15.1), except 206 (Partial Content).
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The statuses whose caching requirements are implemented, for `must-understand` (RFC 9111, section 5.2.2.3).
    static let understood: Set<Int> = heuristicallyCacheable.union([302, 303, 307, 400, 403, 451, 500, 502, 503, 504])
}
