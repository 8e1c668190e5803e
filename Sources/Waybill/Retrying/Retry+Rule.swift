extension Retry {
    /// The retries after one kind of failure: how often, and how long to wait before each.
    ///
    /// ```swift
    /// Retry(rules: [
    ///     .statuses(429, retries: 10, backoff: .none, maximumWait: .seconds(300)),  // as the server asks
    ///     .statuses(502, 503, 504, retries: 3),
    ///     .transportErrors(retries: 2),
    /// ])
    /// ```
    ///
    /// Within a call, each rule counts the failures that it covers, and its backoff grows with that count. Failures
    /// without a rule are not retried.
    public struct Rule: Sendable, Hashable, CustomStringConvertible {
        /// The transport errors that may be temporary; the causes of the others are permanent or unknown.
        package static let temporaryErrors: Set<TransportError.Kind> = [
            .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut,
        ]

        package let statuses: HTTPResponse.StatusSet
        package let errors: Set<TransportError.Kind>
        package let retries: Int
        package let backoff: Backoff
        package let maximumWait: Duration

        /// Returns a rule for statuses.
        ///
        /// - Parameters:
        ///   - first: the statuses to retry, such as `429`; an empty set, or a status covered by another rule, is a
        ///     declaration error.
        ///   - others: more statuses to retry.
        ///   - retries: the maximum number of retries; less than 1 is a declaration error.
        ///   - backoff: the waits before the retries, in addition to any waits requested by the server.
        ///   - maximumWait: the longest wait that a server can request; a negative duration is a declaration error.
        /// - Returns: the rule.
        public static func statuses(
            _ first: HTTPResponse.StatusSet,
            _ others: HTTPResponse.StatusSet...,
            retries: Int,
            backoff: Backoff = .exponential(from: .milliseconds(200), to: .seconds(20)),
            maximumWait: Duration = .seconds(60)
        ) -> Self {
            Self(
                statuses: others.reduce(first) { $0.union($1) },
                errors: [],
                retries: retries,
                backoff: backoff,
                maximumWait: maximumWait
            )
        }

        /// Returns a rule for transport errors, including an incomplete body.
        ///
        /// - Parameters:
        ///   - kinds: the kinds of errors to retry, among the default ones: a host that cannot be resolved, a failed or
        ///     lost connection, and a timeout of the transport. Any other kind, an empty set, or a kind covered by
        ///     another rule is a declaration error.
        ///   - retries: the maximum number of retries; less than 1 is a declaration error.
        ///   - backoff: the waits before the retries.
        /// - Returns: the rule.
        public static func transportErrors(
            _ kinds: Set<TransportError.Kind> = [.cannotResolveHost, .cannotConnect, .connectionLost, .timedOut],
            retries: Int,
            backoff: Backoff = .exponential(from: .milliseconds(200), to: .seconds(20))
        ) -> Self {
            Self(statuses: [], errors: kinds, retries: retries, backoff: backoff, maximumWait: .zero)
        }

        /// The failures, the number of retries and the backoff.
        public var description: String {
            "\(condition): \(retries) \(retries == 1 ? "retry" : "retries"), \(backoff)"
        }

        private var condition: String {
            if errors == Self.temporaryErrors { return "transport errors" }
            return errors.isEmpty ? "\(statuses)" : Self.names(errors)
        }

        /// Returns the rule as written in a declaration, with the rejected argument.
        private func declaration(_ argument: String) -> String {
            guard errors.isEmpty else { return "rules: [.transportErrors(\(argument))]" }
            let codes = "\(statuses)"
            return "rules: [.statuses(\(codes.isEmpty ? "[]" : codes), \(argument))]"
        }

        private static func names(_ errors: Set<TransportError.Kind>) -> String {
            errors.map { "\($0)" }.sorted().joined(separator: ", ")
        }

        /// Adds the rule's declaration errors, including conflicts with earlier rules.
        func check(after earlier: ArraySlice<Rule>, _ declarationErrors: inout [Scope.DeclarationError]) {
            func reject(_ argument: String, _ reason: String) {
                declarationErrors.reject("Retry", declaration(argument), because: reason)
            }
            let kinds = errors.isEmpty ? "…" : "[\(Self.names(errors))], …"
            if retries < 1 {
                reject(
                    "retries: \(retries)",
                    "give 1 or more, or remove the rule: a failure without one is not retried"
                )
            }
            if let reason = backoff.declarationError { reject("backoff: \(backoff)", reason) }
            if maximumWait < .zero {
                reject("maximumWait: \(maximumWait.shown)", "a wait cannot be negative; pass zero or more")
            }
            if statuses == [], errors.isEmpty {
                reject(kinds, "it applies to no failure; name one, or remove the rule")
            }
            let permanent = errors.subtracting(Self.temporaryErrors)
            if !permanent.isEmpty {
                reject(
                    kinds,
                    "a retry after \(Self.names(permanent)) would fail again; give only"
                        + " \(Self.names(Self.temporaryErrors))"
                )
            }
            for other in earlier {
                let shared = errors.intersection(other.errors)
                if let kind = shared.map({ "\($0)" }).min() {
                    reject(kinds, "\(kind) has two rules; remove it from one")
                } else if statuses.intersects(other.statuses) {
                    let status = statuses.codes.first { other.statuses.contains(.init(code: $0)) }
                    reject(kinds, "\(status.map { "\($0)" } ?? "a status") has two rules; remove it from one")
                }
            }
        }
    }
}
