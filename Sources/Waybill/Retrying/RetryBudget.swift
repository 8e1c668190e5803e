/// How much the calls of a client may repeat together, so that a struggling server is not hammered.
///
/// ```swift
/// RetryBudget(capacity: 100)
/// RetryBudget.none            // as often as each call's Retry says
/// ```
///
/// A budget holds tokens. Each retry takes some, and gives them back when it succeeds; a call that succeeds at once
/// puts a few in. Where too few are left nothing is repeated: the error is thrown as it is, and
/// ``FailedCall/retryRefusal`` says so. While a server works, the budget is full, and single failures are repeated;
/// while it does not, the budget is soon empty, and the server sees each call once.
///
/// ``Retry`` has a budget without this clause, with the numbers that the SDKs of AWS use in their standard mode: 500
/// tokens, enough for 100 retries. A client that makes few calls at a time may do with less. Calls of one client to
/// one origin share a budget, as far as its numbers are the same.
public struct RetryBudget: Setting {
    /// The numbers of a budget.
    package struct Terms: Sendable, Hashable {
        package let capacity: Int
        package let cost: Int
        package let timeoutCost: Int
        package let refund: Int
    }

    package let terms: Terms?

    /// What holds where nothing is declared.
    package static let usual = RetryBudget()

    /// Declares a budget.
    ///
    /// - Parameters:
    ///   - capacity: how many tokens there are at first and at most. A number below `cost` is a mistake.
    ///   - cost: how many a retry takes. Less than 1 is a mistake.
    ///   - timeoutCost: how many a retry takes after the transport has timed out. Less than 1 is a mistake.
    ///   - refund: how many a call that succeeds at once puts in. Less than 1 is a mistake.
    public init(capacity: Int = 500, cost: Int = 5, timeoutCost: Int = 10, refund: Int = 1) {
        terms = Terms(capacity: capacity, cost: cost, timeoutCost: timeoutCost, refund: refund)
    }

    private init(terms: Terms?) { self.terms = terms }

    /// No budget, whatever a farther scope says.
    public static let none = RetryBudget(terms: nil)

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
                scope.declare(
                    Mistake(
                        clause: "RetryBudget",
                        value: "\(name): \(number)",
                        reason: "a budget needs 1 or more there; RetryBudget.none bounds nothing"
                    )
                )
            }
            if terms.capacity < max(terms.cost, 1) {
                scope.declare(
                    Mistake(
                        clause: "RetryBudget",
                        value: "capacity: \(terms.capacity)",
                        reason: "it is not enough for one retry, which costs \(terms.cost); give more, or Retry.none"
                    )
                )
            }
        }
        scope.declare(self)
    }
}
