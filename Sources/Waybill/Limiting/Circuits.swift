import WaybillSystem

/// The circuits of a client, by origin.
package final class Circuits: Sendable {
    private let breaker: CircuitBreaker
    private let circuits = Locked(LRUStore<HTTPOrigin, Circuit>())

    package init(_ breaker: CircuitBreaker) { self.breaker = breaker }

    /// The number of circuits.
    package var count: Int { circuits.withLock { $0.count } }

    func admit(
        to origin: HTTPOrigin,
        now: Duration,
        within outer: Circuit.Permit?
    ) -> Result<Circuit.Permit, Circuit.Rejection> {
        change(origin) { $0.admit(now: now, within: outer) }
    }

    func end(_ permit: Circuit.Permit, to origin: HTTPOrigin, _ outcome: Circuit.Outcome, now: Duration, date: Date) {
        change(origin) { $0.end(permit, outcome, now: now, date: date) }
    }

    private func change<Result>(_ origin: HTTPOrigin, _ change: (inout Circuit) -> Result) -> Result {
        circuits.withLock { $0.change(origin, new: Circuit(breaker), change) }
    }
}
