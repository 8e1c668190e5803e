/// Retries of failed calls: which failures to retry, how often, and how long to wait before each retry.
///
/// ```swift
/// Retry()                                                   // 3 attempts in all
/// Retry(attempts: 5, backoff: .exponential(from: .milliseconds(100), to: .seconds(5)))
/// Retry(statuses: [429, 503], hint: .milliseconds(at: "error", "retry_after_ms"))
/// Retry(rules: [.statuses(429, retries: 10, backoff: .none), .transportErrors(retries: 2)])
/// Retry.none                                                // even if an outer scope declares one
/// ```
///
/// The clause retries calls that fail with one of the declared statuses, an incomplete body, or a transport error that
/// may be temporary: a host that cannot be resolved, a failed or lost connection, or a timeout. With a ``Rule``, each
/// kind of failure can have a separate number of retries and separate waits.
///
/// A call that could take effect twice is not retried. A call whose method is not in `methods` is retried only if no
/// part of its request was sent, or if the request has an idempotency key, from ``IdempotencyKey`` or an
/// `Idempotency-Key` field. A request whose body cannot be read a second time is never retried.
///
/// The wait before a retry is the backoff plus the wait requested by the server in `Retry-After` (RFC 9110, section
/// 10.2.3) or at the ``Retry/Hint``. Invalid values are ignored. If the wait would exceed the call's deadline
/// (``Timeout``), or if the requested wait is longer than `maximumWait`, the call fails immediately. ``Retry/Budget``
/// limits the total number of retries by a client's calls.
///
/// If a call ultimately fails, its error describes all attempts: see ``APIError/FailedCall/attempt``,
/// ``APIError/FailedCall/earlierFailures`` and ``APIError/FailedCall/retryRejection``.
public struct Retry: Setting {
    /// The declared parameters of retries.
    package struct Rules: Sendable {
        /// The number of attempts if a single rule applies to all failures; nil if each rule has a separate number of
        /// retries.
        package let attempts: Int?
        package let rules: [Rule]
        /// The statuses of all rules.
        package let statuses: HTTPResponse.StatusSet
        package let methods: Set<HTTPRequest.Method>
        package let hint: Hint?
    }

    package let rules: Rules?

    /// Declares retries.
    ///
    /// - Parameters:
    ///   - attempts: the maximum number of attempts, including the first; less than 1 is a declaration error.
    ///   - backoff: the waits between attempts.
    ///   - statuses: the statuses to retry.
    ///   - methods: the methods to retry without an idempotency key; by default, the idempotent methods (RFC 9110,
    ///     section 9.2.2). Add POST for an endpoint whose POST has no side effects, such as a search.
    ///   - hint: the location of a requested wait in the body of a failed response.
    ///   - maximumWait: the longest wait that a server can request; a negative duration is a declaration error.
    public init(
        attempts: Int = 3,
        backoff: Backoff = .exponential(from: .milliseconds(200), to: .seconds(20)),
        statuses: HTTPResponse.StatusSet = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPRequest.Method> = Retry.idempotentMethods,
        hint: Hint? = nil,
        maximumWait: Duration = .seconds(60)
    ) {
        rules = Rules(
            attempts: attempts,
            rules: [
                Rule(
                    statuses: statuses,
                    errors: Rule.temporaryErrors,
                    retries: max(attempts, 1) - 1,
                    backoff: backoff,
                    maximumWait: maximumWait
                )
            ],
            statuses: statuses,
            methods: methods,
            hint: hint
        )
    }

    /// Declares retries with a rule for each kind of failure.
    ///
    /// - Parameters:
    ///   - rules: the failures to retry. An empty array, two rules for the same failure, and an invalid rule are
    ///     declaration errors.
    ///   - methods: the methods to retry without an idempotency key; by default, the idempotent methods (RFC 9110,
    ///     section 9.2.2).
    ///   - hint: the location of a requested wait in the body of a failed response.
    public init(rules: [Rule], methods: Set<HTTPRequest.Method> = Retry.idempotentMethods, hint: Hint? = nil) {
        self.rules = Rules(
            attempts: nil,
            rules: rules,
            statuses: rules.reduce([]) { $0.union($1.statuses) },
            methods: methods,
            hint: hint
        )
    }

    /// The methods whose requests have the same effect regardless of how often they are sent (RFC 9110, section 9.2.2).
    public static let idempotentMethods: Set<HTTPRequest.Method> = [
        .get, .head, .put, .delete, .options, .trace, .query,
    ]

    private init(rules: Rules?) { self.rules = rules }

    /// No retries, even if an outer scope declares them.
    public static let none = Retry(rules: nil)

    /// The number of attempts, the backoff and the statuses; for rules, a description of each.
    public var summary: String {
        guard let rules else { return "none" }
        guard let attempts = rules.attempts, let rule = rules.rules.first else {
            return rules.rules.map(\.description).joined(separator: "; ")
        }
        return "\(attempts == 1 ? "1 attempt" : "\(attempts) attempts"), \(rule.backoff), for \(rules.statuses)"
    }

    /// Adds the retries to a scope; invalid values are declaration errors.
    ///
    /// - Parameter scope: the scope that declares the retries.
    public func declare(in scope: inout Scope) {
        if let rules {
            if let attempts = rules.attempts, let rule = rules.rules.first {
                Self.check(attempts, rule, &scope.declarationErrors)
            } else {
                Self.check(rules.rules, &scope.declarationErrors)
            }
        }
        scope.declare(self)
    }

    private static func check(_ attempts: Int, _ rule: Rule, _ declarationErrors: inout [Scope.DeclarationError]) {
        if attempts < 1 {
            declarationErrors.reject(
                "Retry",
                "attempts: \(attempts)",
                because: "the first attempt counts too; give 1 or more, or Retry.none"
            )
        }
        if rule.maximumWait < .zero {
            declarationErrors.reject(
                "Retry",
                "maximumWait: \(rule.maximumWait.shown)",
                because: "a wait cannot be negative; pass zero or more"
            )
        }
        if let reason = rule.backoff.declarationError {
            declarationErrors.reject("Retry", "backoff: \(rule.backoff)", because: reason)
        }
    }

    private static func check(_ rules: [Rule], _ declarationErrors: inout [Scope.DeclarationError]) {
        if rules.isEmpty {
            declarationErrors.reject(
                "Retry",
                "rules: []",
                because: "nothing would be retried; give a rule, or Retry.none"
            )
        }
        for (index, rule) in rules.enumerated() { rule.check(after: rules[..<index], &declarationErrors) }
    }
}

extension Retry {
    /// The location of the requested wait in the body of a failed response.
    ///
    /// ```swift
    /// Retry(hint: .milliseconds(at: "retry_after_ms"))         // {"retry_after_ms": 1500}
    /// Retry(hint: .seconds(at: "error", "retry_after"))        // {"error": {"retry_after": 1.5}}
    /// ```
    ///
    /// The value must be a number or a string that contains one. Missing and negative values are ignored, as are bodies
    /// that are not JSON.
    public struct Hint: Sendable, Hashable, CustomStringConvertible {
        private let path: [EnvelopeKey]
        private let secondsPerUnit: Double

        /// Returns the location of a wait in seconds.
        ///
        /// - Parameter path: the keys and indices from the root of the body to the number.
        /// - Returns: the hint.
        public static func seconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 1) }

        /// Returns the location of a wait in milliseconds.
        ///
        /// - Parameter path: the keys and indices from the root of the body to the number.
        /// - Returns: the hint.
        public static func milliseconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 0.001) }

        /// The unit and the path.
        public var description: String {
            "\(secondsPerUnit == 1 ? "seconds" : "milliseconds") at \(path.pathDescription)"
        }

        /// Returns the wait requested in a body; nil if the body contains no valid one.
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
