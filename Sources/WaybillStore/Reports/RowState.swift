extension OutboxEntry {
    /// The state of an item with entries in the outbox; an item without one has no state.
    ///
    /// ```swift
    /// let states = try await products.states()
    /// for product in try await products.elements() where states[product.id] != nil { print(product.name, "not sent") }
    /// ```
    ///
    /// Of several entries of an item, the one that needs a decision counts.
    public enum RowState: Sendable, Hashable {
        /// Its writes wait for their server, or are under way.
        case pending
        /// A write cannot be sent as it is, mostly because the server rejected it; see ``OutboxEntry/State/parked``.
        case parked
        /// A write was sent, and whether it was applied is not known; see ``OutboxEntry/State/unknown``.
        case unknown
        /// The server has another version of the item; see ``OutboxEntry/State/conflict``.
        case conflict

        /// Whether an entry waits for a decision.
        public var needsAttention: Bool { self != .pending }
    }
}
