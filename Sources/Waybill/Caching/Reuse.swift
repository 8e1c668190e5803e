import Foundation

/// What may be done with a stored answer, without asking the server or after that (RFC 9111, section 4.2).
enum Reuse: Sendable, Equatable {
    /// It is fresh.
    case fresh
    /// It is not fresh any more, and the request takes it so.
    case stale
    /// It is not fresh any more, and can be used while the server is asked (RFC 5861, section 3).
    case staleWhileRevalidating
    /// The server has to be asked first.
    case validate

    /// Decides by what the server and the request say.
    init(_ stored: StoredResponse, _ request: CacheControl, _ mode: CachePolicy.Mode, now: Date, guesses: Bool) {
        let response = stored.control
        self = .validate
        // A date that has been set back says nothing of the time that has passed.
        guard now >= stored.responseDate, !response.containsUnqualified("no-cache"), !request.contains("no-cache")
        else { return }
        let (age, lifetime) = (stored.age(at: now), stored.lifetime(guesses: guesses))
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

    /// Whether an answer may be used because the server could not be asked, or failed (RFC 5861, section 4).
    static func ifError(_ stored: StoredResponse, _ request: CacheControl, now: Date, guesses: Bool) -> Bool {
        let response = stored.control
        guard now >= stored.responseDate, !response.contains("must-revalidate"),
            !response.containsUnqualified("no-cache"), !request.contains("no-cache")
        else { return false }
        let staleness = stored.age(at: now) - stored.lifetime(guesses: guesses)
        return [response, request].contains { control in
            if case .valid(let time) = control.seconds("stale-if-error") { staleness <= time } else { false }
        }
    }
}
