/// What a call that may use the cache only fails with, where the cache has nothing for it that may be used; it is
/// within a ``MiddlewareFailure``, and nothing was sent.
///
/// ```swift
/// } catch where error.isNotCached {
/// ```
public struct NotCached: Error, Sendable, CustomStringConvertible {
    /// What is missing, and the way out.
    public let description =
        "the cache has no answer that may be used, and the call is to use the cache only; another CachePolicy sends it"
}

extension APIError {
    /// Whether a call that may use the cache only found nothing there that may be used.
    public var isNotCached: Bool {
        if case .middleware(let failure) = self { failure.underlying is NotCached } else { false }
    }
}
