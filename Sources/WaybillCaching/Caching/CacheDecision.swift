import Waybill
import WaybillSystem

/// A decision whether to use a stored response as is or to validate it first (RFC 9111, section 4.2).
enum CacheDecision: Sendable, Equatable {
    /// The response is fresh.
    case fresh
    /// The response is stale, and the request accepts a stale response.
    case stale
    /// The response is stale but usable while it is being revalidated (RFC 5861, section 3).
    case staleWhileRevalidating
    /// The server must validate the response before it is used.
    case validate

    /// Creates the decision from the directives of the stored response and the request.
    init(
        about stored: StoredResponse,
        request: CacheControl,
        mode: Cached.Policy.Mode,
        now: Date,
        allowsHeuristicFreshness: Bool
    ) {
        let response = stored.control
        self = .validate
        // If the clock was set back, the elapsed time is unknown.
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

    /// Whether a stale response may be used after a server or network failure (RFC 5861, section 4).
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
