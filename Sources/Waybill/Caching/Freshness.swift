import Foundation

/// How old an answer is, and how long it may be used (RFC 9111, section 4.2).
extension StoredResponse {
    /// The longest time for which an answer is guessed to be fresh: a day.
    static var longestGuess: Double { 86_400 }

    /// The age in seconds: what the server said of it, the time on the way, and the time in the cache.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseDate.timeIntervalSince(date))
        let stated = headerFields[values: .age].first.flatMap { value in
            CacheControl.seconds(in: String(value.prefix { $0 != "," && $0 != " " }))
        }
        let delay = max(0, responseDate.timeIntervalSince(requestDate))
        return max(apparent, (stated ?? 0) + delay) + max(0, now.timeIntervalSince(responseDate))
    }

    /// When the server made the answer; when it came, where the server does not say.
    var date: Date { statedDate ?? responseDate }

    /// When the server says that it made the answer.
    var statedDate: Date? { headerFields[.date].flatMap { HTTPDate.date(from: $0) } }

    /// The seconds for which the answer is fresh; zero for nonsense, and for what the server says nothing of.
    ///
    /// - Parameter guesses: whether a tenth of the time since the last change counts where the server says nothing.
    func lifetime(guesses: Bool) -> Double {
        switch control.seconds("max-age") {
        case .valid(let seconds): return seconds
        case .invalid: return 0
        case .absent: break
        }
        let expires = Set(headerFields[values: .expires])
        if !expires.isEmpty {
            guard expires.count == 1, let text = expires.first, let end = HTTPDate.date(from: text) else { return 0 }
            return min(max(0, end.timeIntervalSince(date)), 2_147_483_648)
        }
        guard guesses, Self.guessable.contains(status.code) || control.contains("public"),
            let change = headerFields[.lastModified].flatMap({ HTTPDate.date(from: $0) })
        else { return 0 }
        return min(max(0, date.timeIntervalSince(change) / 10), Self.longestGuess)
    }

    /// Whether the server says for how long the answer is fresh.
    var hasExplicitLifetime: Bool { control.contains("max-age") || headerFields.contains(.expires) }

    /// Whether the server can be asked if the answer is still the right one.
    var hasValidator: Bool { headerFields.entityTag != nil || lastModifiedText != nil }

    /// The date of the last change as the server wrote it, where it is one.
    var lastModifiedText: String? {
        headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) == nil ? nil : $0 }
    }

    /// The statuses whose freshness may be guessed (RFC 9110, section 15.1), but for partial content.
    static let guessable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The other statuses that are kept where the server says for how long.
    static let understood: Set<Int> = guessable.union([302, 307, 403, 451])
}

extension HTTPField.Name {
    static let age = HTTPField.Name("Age") ?? .date
    static let expires = HTTPField.Name("Expires") ?? .date
}
