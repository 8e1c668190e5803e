/// Answers calls from a cache as far as HTTP allows it (RFC 9111), and keeps answers there.
///
/// ```swift
/// let cache = HTTPCache(bytes: 20_000_000)
///
/// Client(url) { Cached(in: cache) }
/// Client(url) { Cached(in: cache, for: user.id) }      // entries outlive the user's tokens
/// Cached.none                                          // no cache, whatever a farther scope says
/// ```
///
/// It belongs where all operations on the same things pass it, on the client mostly: a PUT, PATCH, POST or DELETE
/// that passes it removes what is stored for its URL.
///
/// Answers are kept apart by what is secret in requests: their credential, their cookies, and each field that
/// is declared secret. So two users never see each other's; but a new token of the same user finds nothing either. With
/// a user's id the answers are kept apart by that id alone: give it only where the credential is always that user's.
/// A credential from a source is asked for before the cache is looked at. Cache in a room too small for one entry is a
/// mistake: nothing is sent.
public struct Cached: Setting {
    package let cache: HTTPCache?
    let user: String?
    let guesses: Bool

    /// Caches in a cache.
    ///
    /// - Parameters:
    ///   - cache: the cache, which other clients may share.
    ///   - user: whose answers they are; nil to tell that by the secrets in requests.
    ///   - guesses: whether an answer of which the server says only when it was changed last counts as fresh for a
    ///     tenth of the time since then, a day at most (RFC 9111, section 4.2.2).
    public init(in cache: HTTPCache, for user: String? = nil, guessingFreshness guesses: Bool = true) {
        self.cache = cache
        self.user = user
        self.guesses = guesses
    }

    private init() {
        cache = nil
        user = nil
        guesses = false
    }

    /// No cache, whatever a farther scope says.
    public static let none = Cached()

    /// The size of the cache.
    public var summary: String { cache.map { "\($0)" } ?? "none" }

    /// Declares the cache.
    public func declare(in scope: inout Scope) {
        if let cache, cache.entryLimit <= 0 {
            scope.declare(
                Mistake(
                    clause: "Cached",
                    value: "\(cache)",
                    reason: "no answer has room in it; give the cache more bytes, or declare Cached.none"
                )
            )
        }
        if let user, user.isEmpty {
            scope.declare(
                Mistake(
                    clause: "Cached",
                    value: "for: \"\"",
                    reason: "an empty id could be anybody's; leave it out, and the credential tells"
                )
            )
        }
        scope.declare(self)
    }
}
