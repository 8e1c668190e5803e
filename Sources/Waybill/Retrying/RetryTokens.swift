/// The tokens that are left of a budget.
struct RetryTokens: BoundedState {
    let terms: Retry.Budget.Terms
    private var left: Int

    init(_ terms: Retry.Budget.Terms) {
        self.terms = terms
        left = terms.capacity
    }

    var isAsNew: Bool { left == terms.capacity }

    /// Whether so little is left that the origin struggles.
    var matters: Bool { left < terms.capacity / 2 }

    /// Takes the tokens of a retry; returns nil if too few are left.
    mutating func take(afterTimeout isTimeout: Bool) -> Int? {
        let cost = isTimeout ? terms.timeoutCost : terms.cost
        guard left >= cost else { return nil }
        left -= cost
        return cost
    }

    /// Returns tokens, up to the capacity.
    mutating func put(_ tokens: Int) { left += min(tokens, terms.capacity - left) }
}
