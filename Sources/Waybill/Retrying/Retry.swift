/// Which failures are repeated, how often, and after which waits.
///
/// ```swift
/// Retry()                                                   // 3 attempts in all
/// Retry(attempts: 5, backoff: .exponential(from: .milliseconds(100), to: .seconds(5)))
/// Retry(statuses: [429, 503], hint: .milliseconds(at: "error", "retry_after_ms"))
/// Retry.none                                                // whatever a farther scope says
/// ```
///
/// Repeated are the statuses that are named, as far as they do not count as success, bodies that break off, and those
/// transport errors that may pass: a host that was not found, no connection, a lost one, and what took too long.
///
/// What might have an effect twice is not: a method that is not among `methods` is repeated only where nothing of the
/// request was sent, or where it has an idempotency key, be it by ``IdempotencyKey`` or by a field of that name. A body
/// that cannot be read a second time is never sent again.
///
/// Before an attempt there is a wait: the time that the server asks for, in `Retry-After` (RFC 9110, section 10.2.3) or
/// at the ``RetryHint``, and on top of it the backoff. Nonsense counts as no such time. A wait that would pass the
/// deadline of the call (``Timeout``) is not begun, nor one for which the server asks and that is longer than
/// `longestWait`: the failure is thrown at once. ``RetryBudget`` bounds how much all calls of a client repeat.
///
/// The error of a call that failed in the end says so: ``FailedCall/attempt``, ``FailedCall/earlierFailures``,
/// ``FailedCall/retryRefusal``.
public struct Retry: Setting {
    /// What holds where retrying is not switched off.
    package struct Rules: Sendable {
        package let attempts: Int
        package let backoff: Backoff
        package let statuses: StatusSet
        package let methods: Set<HTTPRequest.Method>
        package let hint: RetryHint?
        package let longestWait: Duration
    }

    package let rules: Rules?

    /// Declares retries.
    ///
    /// - Parameters:
    ///   - attempts: how often the request is sent at most, the first time included. Less than 1 is a mistake.
    ///   - backoff: the waits between attempts.
    ///   - statuses: the statuses that are worth repeating.
    ///   - methods: the methods that may be repeated without a key, by default the idempotent ones (RFC 9110,
    ///     section 9.2.2). A POST that only searches can be added where it is declared.
    ///   - hint: where in the body of a failed response the server says how long to wait.
    ///   - longestWait: the longest wait for which a server may ask. A negative one is a mistake.
    public init(
        attempts: Int = 3,
        backoff: Backoff = .exponential(from: .milliseconds(200), to: .seconds(20)),
        statuses: StatusSet = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace],
        hint: RetryHint? = nil,
        longestWait: Duration = .seconds(60)
    ) {
        rules = Rules(
            attempts: attempts,
            backoff: backoff,
            statuses: statuses,
            methods: methods,
            hint: hint,
            longestWait: longestWait
        )
    }

    private init(rules: Rules?) { self.rules = rules }

    /// No retries, whatever a farther scope says.
    public static let none = Retry(rules: nil)

    /// The number of attempts, the backoff and the statuses.
    public var summary: String {
        guard let rules else { return "none" }
        let attempts = rules.attempts == 1 ? "1 attempt" : "\(rules.attempts) attempts"
        return "\(attempts), \(rules.backoff), for \(rules.statuses)"
    }

    /// Declares the retries.
    public func declare(in scope: inout Scope) {
        if let rules {
            if rules.attempts < 1 {
                scope.declare(
                    Mistake(
                        clause: "Retry",
                        value: "attempts: \(rules.attempts)",
                        reason: "the first attempt counts too; give 1 or more, or Retry.none"
                    )
                )
            }
            if rules.longestWait < .zero {
                scope.declare(
                    Mistake(
                        clause: "Retry",
                        value: "longestWait: \(rules.longestWait)",
                        reason: "no wait is that short; give zero or more"
                    )
                )
            }
            if let reason = rules.backoff.mistake {
                scope.declare(Mistake(clause: "Retry", value: "backoff: \(rules.backoff)", reason: reason))
            }
        }
        scope.declare(self)
    }
}
