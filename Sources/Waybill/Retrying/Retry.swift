/// The retries of failed calls: some failures, up to a number of attempts, with waits in between.
///
/// ```swift
/// Retry()                                                   // 3 attempts in all
/// Retry(attempts: 5, backoff: .exponential(from: .milliseconds(100), to: .seconds(5)))
/// Retry(statuses: [429, 503], hint: .milliseconds(at: "error", "retry_after_ms"))
/// Retry.none                                                // even if an outer scope declares one
/// ```
///
/// It repeats calls that fail with one of the declared statuses, with a body that breaks off, or with a transport error
/// that may pass: a host that was not found, no connection, a lost one, and a timeout.
///
/// It does not repeat a call that could take effect twice: one whose method is not among `methods` is repeated only
/// if nothing of the request was sent, or if it has an idempotency key, by ``IdempotencyKey`` or by a field of that
/// name. A body that cannot be read a second time is never sent again.
///
/// Before an attempt there is a wait: the time that the server asks for, in `Retry-After` (RFC 9110, section 10.2.3) or
/// at the ``Retry/Hint``, and on top of it the backoff. An invalid time is ignored. A wait that would pass the deadline
/// of the call (``Timeout``) is not begun, nor one for which the server asks and that is longer than `longestWait`: the
/// failure is thrown at once. ``Retry/Budget`` limits the retries of all calls of a client together.
///
/// The error of a call that failed in the end has its attempts: ``APIError/FailedCall/attempt``,
/// ``APIError/FailedCall/earlierFailures``, ``APIError/FailedCall/retryRejection``.
public struct Retry: Setting {
    /// The rules of retries, unless they are switched off.
    package struct Rules: Sendable {
        package let attempts: Int
        package let backoff: Backoff
        package let statuses: HTTPResponse.StatusSet
        package let methods: Set<HTTPRequest.Method>
        package let hint: Hint?
        package let longestWait: Duration
    }

    package let rules: Rules?

    /// Declares retries.
    ///
    /// - Parameters:
    ///   - attempts: the most times that the request is sent, the first time included. Less than 1 is a declaration
    ///     error.
    ///   - backoff: the waits between attempts.
    ///   - statuses: the statuses that are worth repeating.
    ///   - methods: the methods that may be repeated without a key, by default the idempotent ones (RFC 9110, section
    ///     9.2.2). A POST that only searches can be added in its own declaration.
    ///   - hint: the place of a wait in the body of a failed response.
    ///   - longestWait: the longest wait for which a server may ask. A negative one is a declaration error.
    public init(
        attempts: Int = 3,
        backoff: Backoff = .exponential(from: .milliseconds(200), to: .seconds(20)),
        statuses: HTTPResponse.StatusSet = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPRequest.Method> = Retry.idempotentMethods,
        hint: Hint? = nil,
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

    /// The methods whose requests take effect once if they are sent again (RFC 9110, section 9.2.2).
    public static let idempotentMethods: Set<HTTPRequest.Method> = [
        .get, .head, .put, .delete, .options, .trace, .query,
    ]

    private init(rules: Rules?) { self.rules = rules }

    /// No retries, even if an outer scope declares them.
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
                scope.declarationErrors.reject(
                    "Retry",
                    "attempts: \(rules.attempts)",
                    because: "the first attempt counts too; give 1 or more, or Retry.none"
                )
            }
            if rules.longestWait < .zero {
                scope.declarationErrors.reject(
                    "Retry",
                    "longestWait: \(rules.longestWait.shown)",
                    because: "a wait cannot be negative; give zero or more"
                )
            }
            if let reason = rules.backoff.declarationError {
                scope.declarationErrors.reject(
                    "Retry",
                    "backoff: \(rules.backoff)",
                    because: reason
                )
            }
        }
        scope.declare(self)
    }
}

extension Retry {
    /// The place in the body of a failed response at which a server states the wait before another attempt.
    ///
    /// ```swift
    /// Retry(hint: .milliseconds(at: "retry_after_ms"))         // {"retry_after_ms": 1500}
    /// Retry(hint: .seconds(at: "error", "retry_after"))        // {"error": {"retry_after": 1.5}}
    /// ```
    ///
    /// The value is a number, or a text that is one. A missing or negative one, and a body that is not JSON, are
    /// ignored.
    public struct Hint: Sendable, Hashable, CustomStringConvertible {
        private let path: [EnvelopeKey]
        private let secondsPerUnit: Double

        /// Returns the place of a number of seconds.
        ///
        /// - Parameter path: the keys and indices that lead to the number.
        /// - Returns: the place.
        public static func seconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 1) }

        /// Returns the place of a number of milliseconds.
        ///
        /// - Parameter path: the keys and indices that lead to the number.
        /// - Returns: the place.
        public static func milliseconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 0.001) }

        /// The path and the unit.
        public var description: String {
            "\(secondsPerUnit == 1 ? "seconds" : "milliseconds") at \(path.pathDescription)"
        }

        /// Reads the wait from a body; nil if it has none.
        func wait(in body: HTTPBody) -> Duration? {
            guard let bytes = body.bytes, !bytes.isEmpty,
                let document = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: bytes)
            else { return nil }
            let value = document.value(at: path)
            guard let number = value?.doubleValue ?? value?.stringValue.flatMap(Double.init), number >= 0,
                number.isFinite
            else {
                return nil
            }
            return Duration(boundedSeconds: number * secondsPerUnit)
        }
    }
}
