extension Retry {
    /// A limit on the total number of retries by a client's calls, which protects an overloaded server.
    ///
    /// ```swift
    /// Retry.Budget(capacity: 100)
    /// Retry.Budget.none            // as often as each call's Retry says
    /// ```
    ///
    /// A budget holds tokens. Each retry takes some and returns them if it succeeds; a call that succeeds on the first
    /// attempt adds a few. If too few tokens are left, nothing is retried: the call throws its error, and
    /// ``APIError/FailedCall/retryRejection`` states the reason. While a server is healthy, the budget stays full, and
    /// occasional failures are retried. During an outage, the budget is soon exhausted, and each call is sent only
    /// once.
    ///
    /// Without this clause, ``Retry`` uses the budget of the AWS SDKs' standard mode: 500 tokens, enough for 100
    /// retries. A smaller budget is sufficient for a client that makes few concurrent calls. A client's calls to the
    /// same origin share a budget if their declarations are equal.
    public struct Budget: Setting {
        /// The declared parameters of a budget, in tokens.
        package struct Terms: Sendable, Hashable {
            package let capacity: Int
            package let cost: Int
            package let timeoutCost: Int
            package let refund: Int
        }

        package let terms: Terms?

        /// The default budget.
        package static let usual = Budget()

        /// Declares a budget.
        ///
        /// - Parameters:
        ///   - capacity: the initial and maximum number of tokens; less than `cost` is a declaration error.
        ///   - cost: the number of tokens taken by a retry; less than 1 is a declaration error.
        ///   - timeoutCost: the number of tokens taken by a retry after a transport timeout; less than 1 is a
        ///     declaration error.
        ///   - refund: the number of tokens added by a call that succeeds on the first attempt; less than 1 is a
        ///     declaration error.
        public init(capacity: Int = 500, cost: Int = 5, timeoutCost: Int = 10, refund: Int = 1) {
            terms = Terms(capacity: capacity, cost: cost, timeoutCost: timeoutCost, refund: refund)
        }

        private init(terms: Terms?) { self.terms = terms }

        /// No budget, even if an outer scope declares one.
        public static let none = Budget(terms: nil)

        /// The clause's name in declarations.
        public static var clauseName: String { "Retry.Budget" }

        /// The capacity, the costs and the refund in tokens.
        public var summary: String {
            guard let terms else { return "none" }
            return "\(terms.capacity) tokens, \(terms.cost) a retry, \(terms.timeoutCost) after a timeout,"
                + " \(terms.refund) back"
        }

        /// Adds the budget to a scope; invalid numbers are declaration errors.
        ///
        /// - Parameter scope: the scope that declares the budget.
        public func declare(in scope: inout Scope) {
            if let terms {
                let numbers = [("cost", terms.cost), ("timeoutCost", terms.timeoutCost), ("refund", terms.refund)]
                for (name, number) in numbers where number < 1 {
                    scope.declarationErrors.reject(
                        "Retry.Budget",
                        "\(name): \(number)",
                        because: "the number must be 1 or more; to remove the budget, declare Retry.Budget.none"
                    )
                }
                if terms.capacity < max(terms.cost, 1) {
                    scope.declarationErrors.reject(
                        "Retry.Budget",
                        "capacity: \(terms.capacity)",
                        because: "it is not enough for one retry, which costs \(terms.cost); give more, or Retry.none"
                    )
                }
            }
            scope.declare(self)
        }
    }
}
