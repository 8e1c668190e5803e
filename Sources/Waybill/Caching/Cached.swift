import WaybillSystem

/// Serves responses from a cache as far as HTTP allows it (RFC 9111), and stores new ones.
///
/// ```swift
/// let cache = HTTPCache(bytes: 20_000_000)
///
/// Client(url) { Cached(in: cache) }
/// Client(url) { Cached(in: cache, for: user.id) }      // entries outlive the user's tokens
/// Cached.none                                          // no cache, even if an outer scope declares one
/// ```
///
/// It belongs in the scope of all operations on the same entities, on the client mostly: a PUT, PATCH, POST or DELETE
/// within it removes what is stored for its URL.
///
/// Responses are kept apart by the secrets in requests: their credential, their cookies, and each field that is
/// declared secret. So two users never get each other's; but a new token of the same user finds nothing either. With a
/// user's id the responses are kept apart by that id alone: give it only if the credential is always that user's. A
/// credential from a source is fetched before the lookup. A cache that is too small for one entry is a declaration
/// error: nothing is sent.
public struct Cached: Setting {
    package let cache: HTTPCache?
    let user: String?
    let allowsHeuristicFreshness: Bool

    /// Caches responses in a cache.
    ///
    /// - Parameters:
    ///   - cache: the cache, which other clients may share.
    ///   - user: the id of the user whose responses they are; nil to tell users apart by the secrets in requests.
    ///   - allowsHeuristicFreshness: whether a response counts as fresh for a tenth of the time since its last change,
    ///     for a day at most, if the server says nothing else about its freshness (RFC 9111, section 4.2.2).
    public init(in cache: HTTPCache, for user: String? = nil, heuristicFreshness allowsHeuristicFreshness: Bool = true)
    {
        self.cache = cache
        self.user = user
        self.allowsHeuristicFreshness = allowsHeuristicFreshness
    }

    private init() {
        cache = nil
        user = nil
        allowsHeuristicFreshness = false
    }

    /// No cache, even if an outer scope declares one.
    public static let none = Cached()

    /// The size of the cache.
    public var summary: String { cache.map { "\($0)" } ?? "none" }

    /// Declares the cache.
    public func declare(in scope: inout Scope) {
        if let cache, cache.entryLimit <= 0 {
            scope.declare(
                DeclarationError(
                    clause: "Cached",
                    value: "\(cache)",
                    reason: "no response has room in it; give the cache more bytes, or declare Cached.none"
                )
            )
        }
        if let user, user.isEmpty {
            scope.declare(
                DeclarationError(
                    clause: "Cached",
                    value: "for: \"\"",
                    reason: "an empty id names no user; leave it out, and the credential tells users apart"
                )
            )
        }
        scope.declare(self)
    }
}

extension Cached {
    /// The use that a call makes of the cache that ``Cached`` declares.
    ///
    /// ```swift
    /// try await shop.products.with { Cached.Policy(.reload) }.list()
    /// ```
    ///
    /// The directives of requests in `Cache-Control` (RFC 9111, section 5.2.1) hold too, and are sent:
    /// `Header(.cacheControl, "max-stale=600, stale-if-error=86400")`.
    public struct Policy: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Cached.Policy" }

        /// A way to use a cache.
        public enum Mode: String, Sendable, Hashable {
            /// A fresh response is taken from the cache; one that is not fresh is requested again, or confirmed by the
            /// server.
            case `default`
            /// The server sends the whole response, which is stored.
            case reload
            /// The server is always asked, and may say that nothing has changed; only what it has declared immutable is
            /// taken from the cache while it is fresh.
            case revalidate
            /// Nothing is sent: what the cache has is taken, if it may be; otherwise the call fails with
            /// ``Cached/Policy/NotCached``. So does a change, and a call without a cache.
            case onlyIfCached
            /// The cache is not used: nothing is read from it or stored in it.
            case noStore
        }

        /// The mode.
        public let mode: Mode

        /// Creates a policy.
        public init(_ mode: Mode) { self.mode = mode }

        /// The policy's name.
        public var summary: String { mode.rawValue }
    }
}

extension Cached.Policy {
    /// Thrown by a cache-only call on a miss, within an ``APIError/MiddlewareFailure``; nothing was sent.
    ///
    /// ```swift
    /// do throws(APIError) {
    ///     let products = try await shop.products.with { Cached.Policy(.onlyIfCached) }.list()
    ///     show(products)
    /// } catch where error.isNotCached {
    ///     showEmpty()
    /// }
    /// ```
    public struct NotCached: Error, Sendable, CustomStringConvertible {
        /// The problem, and the way out.
        public let description =
            "the cache has no usable response, and the call may only use the cache; another Cached.Policy sends a request"
    }
}

extension Cached.Policy.NotCached: UnsentCause {
    var brief: String { "a cache miss" }
}

extension Cached.Policy.NotCached: LocalizedError {
    /// A short sentence for a person.
    public var errorDescription: String? { ErrorSentence.notOffline.text }
}

extension APIError {
    /// Whether the error is a cache miss of a cache-only call.
    public var isNotCached: Bool {
        if case .middleware(let failure) = self { failure.underlying is Cached.Policy.NotCached } else { false }
    }
}
