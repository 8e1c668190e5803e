import WaybillSystem

/// The decision about a stored response: to use it without asking the server, or after that (RFC 9111, section 4.2).
enum CacheDecision: Sendable, Equatable {
    /// It is fresh.
    case fresh
    /// It is not fresh any more, and the request takes it so.
    case stale
    /// It is stale, and can be used while it is revalidated (RFC 5861, section 3).
    case staleWhileRevalidating
    /// The response has to be validated first.
    case validate

    /// Decides by the directives of the server and the request.
    init(
        about stored: StoredResponse,
        request: CacheControl,
        mode: Cached.Policy.Mode,
        now: Date,
        allowsHeuristicFreshness: Bool
    ) {
        let response = stored.control
        self = .validate
        // If the date was set back, the time that has passed is unknown.
        guard now >= stored.responseDate, !response.containsUnqualified("no-cache"), !request.contains("no-cache")
        else { return }
        let (age, lifetime) = (stored.age(at: now), stored.lifetime(allowsHeuristicFreshness: allowsHeuristicFreshness))
        if mode == .revalidate, !(response.contains("immutable") && lifetime > age) { return }
        switch request.seconds("max-age") {
        case .valid(let limit) where limit == 0 || age > limit: return
        case .invalid: return
        default: break
        }
        switch request.seconds("min-fresh") {
        case .valid(let time) where lifetime - age < time: return
        case .invalid: return
        default: break
        }
        if lifetime > age {
            self = .fresh
            return
        }
        guard !response.contains("must-revalidate") else { return }
        let staleness = age - lifetime
        if request.containsUnqualified("max-stale") {
            self = .stale
        } else if case .valid(let time) = request.seconds("max-stale"), staleness <= time {
            self = .stale
        } else if case .valid(let time) = response.seconds("stale-while-revalidate"), staleness <= time {
            self = .staleWhileRevalidating
        }
    }

    /// Whether a stale response may be used because the server could not be reached, or failed (RFC 5861, section 4).
    static func ifError(
        _ stored: StoredResponse,
        request: CacheControl,
        now: Date,
        allowsHeuristicFreshness: Bool
    ) -> Bool {
        let response = stored.control
        guard now >= stored.responseDate, !response.contains("must-revalidate"),
            !response.containsUnqualified("no-cache"), !request.contains("no-cache")
        else { return false }
        let staleness = stored.age(at: now) - stored.lifetime(allowsHeuristicFreshness: allowsHeuristicFreshness)
        return [response, request].contains { control in
            if case .valid(let time) = control.seconds("stale-if-error") { staleness <= time } else { false }
        }
    }
}
