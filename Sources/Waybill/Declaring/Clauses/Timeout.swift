/// How long a call may take, from its start to the last byte of its answer, all attempts and waits included.
///
/// ```swift
/// Timeout(.seconds(10))
/// Timeout.none            // as long as the transport goes on
/// ```
///
/// A call that takes longer is cancelled and fails with a ``TimeoutFailure``, as soon as its transport has stopped. Without this clause only the transport's
/// own limit on silence holds. A time of zero or less is a mistake: nothing is sent.
public struct Timeout: Setting {
    /// The time; nil for none.
    public let limit: Duration?

    /// A limit.
    public init(_ limit: Duration) { self.limit = limit }

    private init() { limit = nil }

    /// No limit, whatever a farther scope says.
    public static let none = Timeout()

    /// The time.
    public var summary: String { limit.map { "\($0)" } ?? "none" }

    /// Declares the limit.
    public func declare(in scope: inout Scope) {
        if let limit, limit <= .zero {
            scope.declare(
                Mistake(
                    clause: "Timeout",
                    value: "\(limit)",
                    reason: "no call can finish in that time; give a positive one, or Timeout.none"
                )
            )
        }
        scope.declare(self)
    }
}
