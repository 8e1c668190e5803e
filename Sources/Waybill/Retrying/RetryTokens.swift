/// What is left of a budget, for all calls that share it.
package final class RetryTokens: Sendable {
    /// Which calls share a budget.
    private struct Sharing: Hashable {
        let terms: RetryBudget.Terms
        /// Another origin than the client's, of a page; nil for the client's.
        let origin: Origin?
    }

    let terms: RetryBudget.Terms
    private let left: Locked<Int>

    init(_ terms: RetryBudget.Terms) {
        self.terms = terms
        left = Locked(terms.capacity)
    }

    /// How many tokens there are.
    package var count: Int { left.withLock { $0 } }

    /// Takes what a retry costs; nil where too little is left.
    func take(afterTimeout isTimeout: Bool) -> Int? {
        let cost = isTimeout ? terms.timeoutCost : terms.cost
        return left.withLock { left in
            guard left >= cost else { return nil }
            left -= cost
            return cost
        }
    }

    /// Gives tokens back, as far as there is room.
    func put(_ tokens: Int) {
        let capacity = terms.capacity
        left.withLock { left in left += min(tokens, capacity - left) }
    }

    /// The budget of a call; nil where it has none.
    package static func shared(by call: Call) -> RetryTokens? {
        guard let terms = (call.settings[RetryBudget.self] ?? .usual).terms else { return nil }
        let origin = call.plan.isForeign ? Origin(call.plan.url) : nil
        let sharing = Sharing(terms: terms, origin: origin)
        return call.context.shared.state(for: sharing) { RetryTokens(terms) }
    }
}
