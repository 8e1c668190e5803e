import Foundation

/// The circuits of a client, by origin; one that is as it was made is not kept.
package final class Circuits: Sendable {
    private let breaker: CircuitBreaker
    private let circuits = Locked([Origin: Circuit]())

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
        circuits.withLock { circuits in
            var circuit = circuits[origin] ?? Circuit(breaker)
            defer {
                circuits[origin] = circuit.isAsNew ? nil : circuit
                // What is forgotten are a few failures that count.
                if circuits.count > 1000 { circuits = circuits.filter { !$0.value.isClosed } }
            }
            return change(&circuit)
        }
    }
}
