import WaybillSystem

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
