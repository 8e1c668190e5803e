import Foundation

/// The circuits of a client, by origin.
package final class Circuits: Sendable {
    private let breaker: CircuitBreaker
    private let circuits = Locked(BoundedStates<Origin, Circuit>())

    package init(_ breaker: CircuitBreaker) { self.breaker = breaker }

    /// How many are kept.
    package var count: Int { circuits.withLock { $0.count } }

    func admit(
        to origin: Origin,
        now: Duration,
        within outer: Circuit.Pass?
    ) -> Result<Circuit.Pass, Circuit.Refusal> {
        change(origin) { $0.admit(now: now, within: outer) }
    }

    func end(_ pass: Circuit.Pass, to origin: Origin, _ outcome: Circuit.Outcome, now: Duration, date: Date) {
        change(origin) { $0.end(pass, outcome, now: now, date: date) }
    }

    private func change<Result>(_ origin: Origin, _ change: (inout Circuit) -> Result) -> Result {
        circuits.withLock { $0.change(origin, new: Circuit(breaker), change) }
    }
}
