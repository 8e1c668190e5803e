/// The time limit of a whole call, from its start to the last byte of its response, all attempts and waits included.
///
/// ```swift
/// Timeout(.seconds(10))
/// Timeout.none            // as long as the transport allows
/// ```
///
/// A call that takes longer is cancelled and fails with an ``APIError/TimeoutFailure``, as soon as its transport has
/// stopped. Without this clause only the transport's own limit on silence holds, which is 60 seconds by default; with
/// it, that limit yields to a longer time, and to `Timeout.none`. A time of zero or less is a declaration error:
/// nothing is sent.
public struct Timeout: Setting {
    /// The time; nil for none.
    public let limit: Duration?

    /// Creates a limit.
    public init(_ limit: Duration) { self.limit = limit }

    private init() { limit = nil }

    /// No limit, even if an outer scope declares one.
    public static let none = Timeout()

    /// The time.
    public var summary: String { limit?.shown ?? "none" }

    /// Declares the limit.
    public func declare(in scope: inout Scope) {
        if let limit, limit <= .zero {
            scope.declare(
                DeclarationError(
                    clause: "Timeout",
                    value: limit.shown,
                    reason: "no call can finish in that time; give a positive one, or Timeout.none"
                )
            )
        }
        scope.declare(self)
    }
}
