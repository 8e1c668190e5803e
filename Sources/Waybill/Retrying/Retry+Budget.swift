extension Retry {
    /// A limit on the retries of all calls of a client together, which protects a struggling server.
    ///
    /// ```swift
    /// Retry.Budget(capacity: 100)
    /// Retry.Budget.none            // as often as each call's Retry says
    /// ```
    ///
    /// A budget holds tokens. Each retry takes some, and gives them back if it succeeds; a call that succeeds at once
    /// adds a few. If too few are left, nothing is repeated: the error is thrown as it is, and its
    /// ``APIError/FailedCall/retryRejection`` is the reason. While a server works, the budget is full, and single
    /// failures are repeated; while it does not, the budget is soon empty, and the server sees each call once.
    ///
    /// ``Retry`` has a budget without this clause, with the numbers of the standard mode of AWS's SDKs: 500 tokens,
    /// enough for 100 retries. A client that makes few calls at a time may do with less. Calls of one client to one
    /// origin share a budget, if its numbers are the same.
    public struct Budget: Setting {
        /// The numbers of a budget.
        package struct Terms: Sendable, Hashable {
            package let capacity: Int
            package let cost: Int
            package let timeoutCost: Int
            package let refund: Int
        }

        package let terms: Terms?

        /// The budget unless another one is declared.
        package static let usual = Budget()

        /// Declares a budget.
        ///
        /// - Parameters:
        ///   - capacity: the number of tokens at first and at most. A number below `cost` is a declaration error.
        ///   - cost: the tokens that a retry takes. Less than 1 is a declaration error.
        ///   - timeoutCost: the tokens that a retry takes after the transport has timed out. Less than 1 is a
        ///     declaration error.
        ///   - refund: the tokens that a call puts in if it succeeds at once. Less than 1 is a declaration error.
        public init(capacity: Int = 500, cost: Int = 5, timeoutCost: Int = 10, refund: Int = 1) {
            terms = Terms(capacity: capacity, cost: cost, timeoutCost: timeoutCost, refund: refund)
        }

        private init(terms: Terms?) { self.terms = terms }

        /// No budget, even if an outer scope declares one.
        public static let none = Budget(terms: nil)

        /// The name, with that of the clause that it belongs to.
        public static var clauseName: String { "Retry.Budget" }

        /// The numbers.
        public var summary: String {
            guard let terms else { return "none" }
            return "\(terms.capacity) tokens, \(terms.cost) a retry, \(terms.timeoutCost) after a timeout,"
                + " \(terms.refund) back"
        }

        /// Declares the budget.
        public func declare(in scope: inout Scope) {
            if let terms {
                let numbers = [("cost", terms.cost), ("timeoutCost", terms.timeoutCost), ("refund", terms.refund)]
                for (name, number) in numbers where number < 1 {
                    scope.declarationErrors.reject(
                        "Retry.Budget",
                        "\(name): \(number)",
                        because: "the number has to be 1 or more; Retry.Budget.none removes the budget"
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
