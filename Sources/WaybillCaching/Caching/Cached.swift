import Waybill
import WaybillSystem

/// A clause that serves responses from a cache where HTTP permits it (RFC 9111), and stores new ones.
///
/// ```swift
/// let cache = HTTPCache(maximumBytes: 20_000_000)
///
/// Client(url) { Cached(in: cache) }
/// Client(url) { Cached(in: cache, for: user.id) }      // entries outlive the user's tokens
/// Cached.none                                          // no cache, even if an outer scope declares one
/// ```
///
/// Declare the clause for all operations on the same resources, usually on the client: a PUT, PATCH, POST or DELETE
/// request within its scope removes the stored responses for the request's URL.
///
/// Users are distinguished by the secrets in their requests: credentials, cookies, and each field declared secret. Two
/// users never share responses. However, after a user's token changes, responses stored under the old token are no
/// longer found. If a user ID is passed, it alone distinguishes users, so pass it only if the credential always belongs
/// to that user. A credential fetched for each request is fetched before the lookup.
///
/// A cache too small for any entry and an empty user ID are declaration errors; nothing is sent.
public struct Cached: Setting {
    package let cache: HTTPCache?
    let user: String?
    let allowsHeuristicFreshness: Bool

    /// Creates the clause with a cache.
    ///
    /// - Parameters:
    ///   - cache: the cache, which other clients may share.
    ///   - user: the ID of the user who owns the responses; nil to distinguish users by the secrets in requests.
    ///   - allowsHeuristicFreshness: whether a response without an explicit freshness lifetime is fresh for a tenth of
    ///     the time since it was last modified, up to one day (RFC 9111, section 4.2.2).
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

    /// The cache with its size limit, or `none`.
    public var summary: String { cache.map { "\($0)" } ?? "none" }

    /// Declares the cache, and an error if it is too small or the user ID is empty.
    ///
    /// - Parameter scope: the scope to declare it in.
    public func declare(in scope: inout Scope) {
        if let cache, cache.maximumEntryBytes <= 0 {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Cached",
                    value: "\(cache)",
                    reason: "it is too small for any response; give the cache more bytes, or declare Cached.none"
                )
            )
        }
        if let user, user.isEmpty {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Cached",
                    value: "for: \"\"",
                    reason: "an empty id identifies no user; omit it to distinguish users by their credentials"
                )
            )
        }
        scope.declare(self)
    }
}

extension Cached {
    /// A clause that selects how a call uses the cache declared by ``Cached``.
    ///
    /// ```swift
    /// try await shop.products.with { Cached.Policy(.reload) }.list()
    /// ```
    ///
    /// The request directives of `Cache-Control` (RFC 9111, section 5.2.1) also apply, and are sent:
    /// `Header(.cacheControl, "max-stale=600, stale-if-error=86400")`.
    public struct Policy: Setting {
        /// The name of the clause in a declaration.
        public static var clauseName: String { "Cached.Policy" }

        /// The cache modes of a call.
        public enum Mode: String, Sendable, Hashable {
            /// Uses a fresh response from the cache, revalidates a stale one, and requests a missing one.
            case `default`
            /// Always requests the complete response, and stores it.
            case reload
            /// Asks the server to validate the stored response, unless the response is fresh and the server has
            /// declared it immutable.
            case revalidate
            /// Sends nothing. The call fails with ``Cached/Policy/NotCached`` if the cache has no usable response, if
            /// no cache is declared, or if the request is not cacheable.
            case onlyIfCached
            /// Bypasses the cache: nothing is read from it or stored in it.
            case noStore
        }

        /// The cache mode.
        public let mode: Mode

        /// Creates a policy.
        ///
        /// - Parameter mode: the cache mode.
        public init(_ mode: Mode) { self.mode = mode }

        /// The name of the mode.
        public var summary: String { mode.rawValue }
    }
}

extension Cached.Policy {
    /// The error of a cache-only call that finds no usable response; nothing is sent.
    ///
    /// It is the underlying error of an `APIError.MiddlewareFailure`.
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
        /// The problem and how to resolve it.
        public let description =
            "the cache has no usable response, and the call may only use the cache; another Cached.Policy sends a request"
    }
}

extension Cached.Policy.NotCached: UnsentCause {
    package var brief: String { "a cache miss" }
}

extension Cached.Policy.NotCached: LocalizedError {
    /// A short message for the user.
    public var errorDescription: String? { ErrorSentence.notOffline.text }
}

extension APIError {
    /// Whether a cache-only call found no usable response.
    public var isNotCached: Bool {
        if case .middleware(let failure) = self { failure.underlying is Cached.Policy.NotCached } else { false }
    }
}
