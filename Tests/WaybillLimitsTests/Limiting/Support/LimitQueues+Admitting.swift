@testable import WaybillLimits

extension LimitQueues {
    /// Removes and returns the waiters that can proceed.
    mutating func admit(now: Duration) -> [Waiter] { admitWaiters(now: now).map(\.waiter) }
}
