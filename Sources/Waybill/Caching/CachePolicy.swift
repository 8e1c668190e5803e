/// How a call uses the cache that ``Cached`` declares.
///
/// ```swift
/// try await shop.products.with { CachePolicy(.reload) }.list()
/// ```
///
/// What RFC 9111 has requests say in `Cache-Control` holds too, and goes out:
/// `Header(.cacheControl, "max-stale=600, stale-if-error=86400")`.
public struct CachePolicy: Setting {
    /// A way to use a cache.
    public enum Mode: String, Sendable, Hashable {
        /// A fresh answer is taken from the cache; one that is not, is asked for, or confirmed by the server.
        case `default`
        /// The server is asked, and asked to answer in full; its answer is kept.
        case reload
        /// The server is always asked, and may say that nothing has changed; only what it has declared immutable is
        /// taken from the cache while it is fresh.
        case revalidate
        /// Nothing is sent: what the cache has is taken, if it may be; otherwise the call fails with
        /// ``NotCached``. So does a change, and a call without a cache.
        case onlyIfCached
        /// The cache is passed by: nothing is taken out of it or put into it.
        case noStore
    }

    /// How the cache is used.
    public let mode: Mode

    /// A policy.
    public init(_ mode: Mode) { self.mode = mode }

    /// The policy's name.
    public var summary: String { mode.rawValue }
}
