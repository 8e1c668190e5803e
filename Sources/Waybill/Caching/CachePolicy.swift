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
