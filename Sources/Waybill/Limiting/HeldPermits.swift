/// The permits that a call holds, for calls that are made on its behalf.
final class HeldPermits: Sendable {
    private let keys: [LimitKey]
    private let limiter: Limiter
    private let outer: HeldPermits?
    private let isOver = Locked(false)

    init(_ keys: [LimitKey], of limiter: Limiter, within outer: HeldPermits?) {
        self.keys = keys
        self.limiter = limiter
        self.outer = outer
    }

    /// Whether the call, or one around it, holds a permit of that limit now.
    func contains(_ key: LimitKey, of other: Limiter) -> Bool {
        if other === limiter, keys.contains(key), !isOver.withLock({ $0 }) { return true }
        return outer?.contains(key, of: other) ?? false
    }

    /// Marks the permits as given back: a task that was started within the call may outlive it.
    func end() { isOver.withLock { $0 = true } }
}
