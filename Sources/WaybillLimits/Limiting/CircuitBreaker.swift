import Waybill

/// A circuit breaker, which rejects calls to an origin for a period after several consecutive failures.
///
/// ```swift
/// CircuitBreaker(failures: 5, for: .seconds(30))
/// CircuitBreaker.none
/// ```
///
/// An unavailable or overloaded host is spared further calls, and callers fail fast instead of waiting. Each origin has
/// a separate circuit:
///
/// - Closed: calls go through until the declared number of consecutive calls have failed. A failure is a 5xx status
///   that is not declared as a `Success`, or an error that prevents a response: a failed or lost connection, or a
///   timeout, including a `Timeout`. A response with any other status resets the count. Cancelled calls, local
///   failures, and calls that time out while waiting for a credential do not count.
/// - Open: each call fails immediately with an `APIError.RejectedFailure`, which contains the last error and the date
///   of the next trial. Nothing is sent.
/// - Half-open, after the declared time: one call goes through as a trial, and the others still fail. If the trial
///   succeeds, the circuit closes; otherwise, it opens again for the same time.
///
/// A nonpositive failure count or time is a declaration error; nothing is sent.
public struct CircuitBreaker: Setting, Hashable {
    /// The number of consecutive failures that opens the circuit; 0 for no breaker.
    public let failures: Int

    /// The period during which an open circuit rejects calls.
    public let time: Duration

    private let isNone: Bool

    /// Creates a circuit breaker.
    ///
    /// - Parameters:
    ///   - failures: the number of consecutive failures that opens the circuit, at least 1.
    ///   - time: the period during which an open circuit rejects calls, greater than zero.
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

    /// Whether this is a breaker other than ``none``.
    var isSet: Bool { !isNone }

    /// The number of failures and the time, or `none`.
    public var summary: String {
        isNone ? "none" : "\(failures) failures, for \(time.shown)"
    }

    /// Declares the breaker; invalid values are declaration errors.
    ///
    /// - Parameter scope: the scope that declares it.
    public func declare(in scope: inout Scope) {
        if !isNone, failures < 1 || time <= .zero {
            scope.declare(
                Scope.DeclarationError(
                    clause: "CircuitBreaker",
                    value: "failures: \(failures), for: \(time.shown)",
                    reason: "give 1 failure or more and a positive time, or CircuitBreaker.none"
                )
            )
        }
        scope.declare(self)
    }
}
