/// The places that a call has, for those that are made on its behalf.
final class HeldPlaces: Sendable {
    private let keys: [LimitKey]
    private let limiter: Limiter
    private let outer: HeldPlaces?
    private let isOver = Locked(false)

    init(_ keys: [LimitKey], of limiter: Limiter, within outer: HeldPlaces?) {
        self.keys = keys
        self.limiter = limiter
        self.outer = outer
    }

    /// Whether the call, or one around it, has a place of that limit now.
    func contains(_ key: LimitKey, of other: Limiter) -> Bool {
        if other === limiter, keys.contains(key), !isOver.withLock({ $0 }) { return true }
        return outer?.contains(key, of: other) ?? false
    }

    /// Says that the places are given back: a task that was started on the way may go on for long.
    func end() { isOver.withLock { $0 = true } }
}
