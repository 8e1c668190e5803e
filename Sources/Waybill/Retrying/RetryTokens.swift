/// What is left of a budget.
struct RetryTokens: BoundedState {
    let terms: RetryBudget.Terms
    private var left: Int

    init(_ terms: RetryBudget.Terms) {
        self.terms = terms
        left = terms.capacity
    }

    var isAsNew: Bool { left == terms.capacity }

    /// Whether so little is left that the origin struggles.
    var matters: Bool { left < terms.capacity / 2 }

    /// Takes what a retry costs; nil where too little is left.
    mutating func take(afterTimeout isTimeout: Bool) -> Int? {
        let cost = isTimeout ? terms.timeoutCost : terms.cost
        guard left >= cost else { return nil }
        left -= cost
        return cost
    }

    /// Gives tokens back, as far as there is room.
    mutating func put(_ tokens: Int) { left += min(tokens, terms.capacity - left) }
}
