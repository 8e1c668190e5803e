import WaybillSystem

/// The age of a response, and the time for which it may be used (RFC 9111, section 4.2).
extension StoredResponse {
    /// The longest heuristic freshness of a response in seconds: a day.
    static var longestHeuristicLifetime: Double { 86_400 }

    /// Returns the age in seconds: the age that the server stated, the time in transit, and the time in the cache.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseDate.timeIntervalSince(date))
        let stated = headerFields[values: .age].first.flatMap { value in
            CacheControl.seconds(in: String(value.prefix { $0 != "," && $0 != " " }))
        }
        let delay = max(0, responseDate.timeIntervalSince(requestDate))
        return max(apparent, (stated ?? 0) + delay) + max(0, now.timeIntervalSince(responseDate))
    }

    /// The date at which the server made the response; if it states none, the date at which the response came.
    var date: Date { statedDate ?? responseDate }

    /// The date at which the server states that it made the response.
    var statedDate: Date? { headerFields[.date].flatMap { HTTPDate.date(from: $0) } }

    /// Returns the seconds for which the response is fresh; zero if the server sends none, or an invalid one.
    ///
    /// - Parameter allowsHeuristicFreshness: whether a tenth of the time since the last change counts if the server
    ///   states nothing.
    /// - Returns: the seconds.
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

    /// Whether the server states for how long the response is fresh.
    var hasExplicitLifetime: Bool { control.contains("max-age") || headerFields.contains(.expires) }

    /// Whether the response can be validated.
    var hasValidator: Bool { headerFields.entityTag != nil || lastModifiedText != nil }

    /// The date of the last change as the server wrote it; nil if it is not a date.
    var lastModifiedText: String? {
        headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) == nil ? nil : $0 }
    }

    /// The statuses that are heuristically cacheable (RFC 9110, section 15.1), without that of partial content.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The statuses whose requirements for caches are known, for `must-understand` (RFC 9111, section 5.2.2.3).
    static let understood: Set<Int> = heuristicallyCacheable.union([302, 303, 307, 400, 403, 451, 500, 502, 503, 504])
}
