/// Calls to a host fail at once, for a while, when so many before them have failed one after the other.
///
/// ```swift
/// CircuitBreaker(failures: 5, for: .seconds(30))
/// CircuitBreaker.none
/// ```
///
/// A host that is down or overloaded is left alone, and callers do not wait for it. Each origin that a client calls has a
/// circuit of its own:
///
/// - It is closed, and calls go through, until so many have failed in a row. Failures are a status of 5xx that is not
///   declared as a ``Success``, and whatever keeps a transport from a response: no connection, a connection that is lost, a
///   time that runs out, a ``Timeout`` included. A response of any other status ends the row. A cancelled call,
///   one that fails on this side, and one whose time is up while it waits for its credential, counts for nothing.
/// - Then it is open: each call fails at once with a ``RefusedFailure``, which says since when, until when, and because of
///   what. Nothing is sent.
/// - After the time one call goes through, and the others still fail. If it succeeds, the circuit is closed; if not, it
///   is open again for the same time.
///
/// A number or a time that is not positive is a mistake: nothing is sent.
public struct CircuitBreaker: Setting, Hashable {
    /// How many calls have to fail in a row; 0 for no breaker.
    public let failures: Int

    /// How long no call is sent then.
    public let time: Duration

    private let isNone: Bool

    /// A breaker.
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

    /// No breaker, whatever a farther scope says.
    public static let none = CircuitBreaker()

    /// Whether it breaks anything.
    var isSet: Bool { !isNone }

    /// The number and the time.
    public var summary: String {
        isNone ? "none" : "\(failures) failures, for \(time)"
    }

    /// Declares the breaker.
    public func declare(in scope: inout Scope) {
        if !isNone, failures < 1 || time <= .zero {
            scope.declare(
                Mistake(
                    clause: "CircuitBreaker",
                    value: "failures: \(failures), for: \(time)",
                    reason: "give 1 failure or more and a positive time, or CircuitBreaker.none"
                )
            )
        }
        scope.declare(self)
    }
}
