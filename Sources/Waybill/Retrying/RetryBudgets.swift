/// A client's budgets with the same parameters: one for the client's origin, and one for each other origin reached
/// through page links.
package final class RetryBudgets: Sendable {
    /// A reference to the budget for one origin.
    package struct Share: Sendable {
        let budgets: RetryBudgets
        /// The origin; nil for that of the client.
        let origin: HTTPRequest.Origin?

        var terms: Retry.Budget.Terms { budgets.terms }

        /// Takes the tokens for a retry and returns their number; returns nil if too few are left.
        func take(afterTimeout isTimeout: Bool) -> Int? {
            budgets.change(origin) { $0.take(afterTimeout: isTimeout) }
        }

        /// Adds tokens, up to the capacity.
        func put(_ tokens: Int) { budgets.change(origin) { $0.put(tokens) } }
    }

    private struct State: Sendable {
        var own: RetryTokens
        var others = LRUStore<HTTPRequest.Origin, RetryTokens>()
    }

    private let terms: Retry.Budget.Terms
    private let state: Locked<State>

    init(_ terms: Retry.Budget.Terms) {
        self.terms = terms
        state = Locked(State(own: RetryTokens(terms)))
    }

    /// The number of budgets for origins other than the client's.
    var otherCount: Int { state.withLock { $0.others.count } }

    private func change<Result>(_ origin: HTTPRequest.Origin?, _ change: (inout RetryTokens) -> Result) -> Result {
        state.withLock { state in
            guard let origin else { return change(&state.own) }
            return state.others.change(origin, new: RetryTokens(terms), change)
        }
    }

    /// Returns the budget that applies to a call; nil if its retries are unlimited.
    package static func share(of call: Call) -> Share? {
        guard let terms = (call.settings[Retry.Budget.self] ?? .usual).terms else { return nil }
        let budgets = call.context.storage.state(for: terms) { RetryBudgets(terms) }
        return Share(budgets: budgets, origin: call.plan.isForeign ? HTTPRequest.Origin(call.plan.url) : nil)
    }
}

/// The remaining tokens of a budget.
struct RetryTokens: BoundedState {
    let terms: Retry.Budget.Terms
    private var left: Int

    init(_ terms: Retry.Budget.Terms) {
        self.terms = terms
        left = terms.capacity
    }

    var isInitial: Bool { left == terms.capacity }

    /// Whether so few tokens are left that discarding this state could allow retries that the budget should prevent.
    var isSignificant: Bool { left < terms.capacity / 2 }

    /// Takes the tokens for a retry and returns their number; returns nil if too few are left.
    mutating func take(afterTimeout isTimeout: Bool) -> Int? {
        // A full budget always allows one retry.
        let cost = min(isTimeout ? terms.timeoutCost : terms.cost, terms.capacity)
        guard left >= cost else { return nil }
        left -= cost
        return cost
    }

    /// Adds tokens, up to the capacity.
    mutating func put(_ tokens: Int) { left += min(tokens, terms.capacity - left) }
}
