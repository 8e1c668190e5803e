@testable import WaybillLimits

extension LimitQueues {
    /// Removes and returns the waiters whose turn has come.
    mutating func admit(now: Duration) -> [Waiter] { admitWaiters(now: now).map(\.waiter) }
}
