/// Rejects calls to a host at once, for a while, after several before them have failed in a row.
///
/// ```swift
/// CircuitBreaker(failures: 5, for: .seconds(30))
/// CircuitBreaker.none
/// ```
///
/// A host that is down or overloaded is left alone, and callers do not wait for it. Each origin that a client calls has
/// a circuit of its own:
///
/// - It is closed, and calls go through, until that many have failed in a row. Failures are a status of 5xx that is not
///   declared as a ``Success``, and all that keeps a transport from a response: no connection, a lost connection, a
///   timeout, a ``Timeout`` included. A response of any other status ends the row. A cancelled call, one that fails on
///   this side, and one that times out while it waits for its credential, do not count.
/// - Then it is open: each call fails at once with an ``APIError/RejectedFailure``, which has the dates and the cause.
///   Nothing is sent.
/// - After the time it is half-open: one call goes through, and the others still fail. If it succeeds, the circuit is
///   closed; if not, it is open again for the same time.
///
/// A number or a time that is not positive is a declaration error: nothing is sent.
public struct CircuitBreaker: Setting, Hashable {
    /// The number of calls that have to fail in a row; 0 for no breaker.
    public let failures: Int

    /// The time for which no call is sent then.
    public let time: Duration

    private let isNone: Bool

    /// Creates a breaker.
    ///
    /// - Parameters:
    ///   - failures: the number of calls that have to fail in a row.
    ///   - time: the time for which no call is sent then.
    public init(failures: Int = 5, for time: Duration = .seconds(30)) {
        self.failures = failures
        self.time = time
        isNone = false
    }

    private init() {
        failures = 0
        time = .zero
        isNone = true
    }

    /// No breaker, even if an outer scope declares one.
    public static let none = CircuitBreaker()

    /// Whether it breaks anything.
    var isSet: Bool { !isNone }

    /// The number and the time.
    public var summary: String {
        isNone ? "none" : "\(failures) failures, for \(time.shown)"
    }

    /// Declares the breaker.
    public func declare(in scope: inout Scope) {
        if !isNone, failures < 1 || time <= .zero {
            scope.declare(
                DeclarationError(
                    clause: "CircuitBreaker",
                    value: "failures: \(failures), for: \(time.shown)",
                    reason: "give 1 failure or more and a positive time, or CircuitBreaker.none"
                )
            )
        }
        scope.declare(self)
    }
}
