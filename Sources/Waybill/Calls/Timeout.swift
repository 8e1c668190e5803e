/// A clause that limits the time of a whole call, including all attempts, waits and the response body.
///
/// ```swift
/// Timeout(.seconds(10))
/// Timeout.none            // as long as the transport allows
/// ```
///
/// A call that takes longer is cancelled, and fails with an ``APIError/TimeoutFailure`` once its transport has stopped.
/// Without this clause, only the idle timeout of the transport applies, 60 seconds by default. A longer limit also
/// extends the idle timeout, and `Timeout.none` disables it. A limit of zero or less is a declaration error: nothing is
/// sent.
public struct Timeout: Setting {
    /// The time limit; nil for no limit.
    public let limit: Duration?

    /// Creates a time limit.
    ///
    /// - Parameter limit: the maximum time for the whole call.
    public init(_ limit: Duration) { self.limit = limit }

    private init() { limit = nil }

    /// No limit, even if an outer scope declares one.
    public static let none = Timeout()

    /// The time limit, or `none`.
    public var summary: String { limit?.shown ?? "none" }

    /// Declares the limit, and an error if it is zero or less.
    ///
    /// - Parameter scope: the scope to declare it in.
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
