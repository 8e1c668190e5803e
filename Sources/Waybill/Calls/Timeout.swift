/// Limits the time of a whole call, including all attempts, waits and the response body.
///
/// ```swift
/// Timeout(.seconds(10))
/// Timeout.none            // as long as the transport allows
/// ```
///
/// A call that exceeds the limit is cancelled, and fails with an ``APIError/TimeoutFailure`` once its transport has
/// stopped. Without this clause, only the transport's idle timeout applies, which is 60 seconds by default. A longer
/// limit also extends the idle timeout, and `Timeout.none` disables it. A limit of zero or less is a declaration error,
/// and nothing is sent.
public struct Timeout: Setting {
    /// The time limit; nil for no limit.
    public let limit: Duration?

    /// Creates a time limit.
    ///
    /// - Parameter limit: the maximum time for the whole call.
    public init(_ limit: Duration) { self.limit = limit }

    private init() { limit = nil }

    /// No limit, overriding outer scopes.
    public static let none = Timeout()

    /// The time limit, or `none`.
    public var summary: String { limit?.shown ?? "none" }

    /// Adds the limit to a scope.
    ///
    /// A limit of zero or less is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the limit.
    public func declare(in scope: inout Scope) {
        if let limit, limit <= .zero {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Timeout",
                    value: limit.shown,
                    reason: "no call can finish in that time; give a positive one, or Timeout.none"
                )
            )
        }
        scope.declare(self)
    }
}
