import Waybill
import WaybillSystem

/// The state of a circuit breaker for one origin.
///
/// Each state change increments `number`, and each permit stores the number at admission. If the state has changed by
/// the time a call ends, the call's outcome is ignored.
struct Circuit: BoundedState {
    /// The permit of an admitted call, which is returned when the call ends.
    struct Permit: Sendable {
        enum Role {
            case ordinary, trial
            /// A call on behalf of the trial call, for example to fetch a token.
            case withinTrial
        }

        fileprivate let number: Int
        let role: Role
    }

    /// The outcome of a call as evidence of the server's health.
    enum Outcome {
        case success
        case failure(APIError)
        case nothing
    }

    /// The details of an open circuit.
    struct Opening {
        let failures: Int
        let until: Duration
        let since: Date
        let cause: APIError
    }

    private enum State {
        case closed(failures: Int)
        case open(Opening)
        case halfOpen(Opening)
    }

    private let breaker: CircuitBreaker
    private var state = State.closed(failures: 0)
    private var number = 0

    init(_ breaker: CircuitBreaker) { self.breaker = breaker }

    /// Whether the circuit is in its initial state: never opened, with no failures counted.
    var isInitial: Bool {
        if case .closed(failures: 0) = state { number == 0 } else { false }
    }

    /// Whether the circuit is open or half-open; discarding a closed one only loses its failure count.
    var isSignificant: Bool { if case .closed = state { false } else { true } }

    /// Admits a call or rejects it.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - outer: the permit of the trial call on whose behalf this call is made; nil if there is no such call.
    /// - Returns: the call's permit, or its rejection.
    mutating func admit(now: Duration, within outer: Permit? = nil) -> Result<Permit, Rejection> {
        switch state {
        case .closed: return .success(Permit(number: number, role: .ordinary))
        case .open(let opening) where now < opening.until:
            return .failure(Rejection(opening: opening, isHalfOpen: false))
        case .open(let opening):
            number += 1
            state = .halfOpen(opening)
            return .success(Permit(number: number, role: .trial))
        // Without its inner calls, the trial call could never succeed.
        case .halfOpen where outer?.number == number: return .success(Permit(number: number, role: .withinTrial))
        case .halfOpen(let opening): return .failure(Rejection(opening: opening, isHalfOpen: true))
        }
    }

    /// Records the end of a call.
    mutating func end(_ permit: Permit, _ outcome: Outcome, now: Duration, date: Date) {
        guard permit.number == number else { return }
        switch (state, outcome) {
        // A failed inner call ends the trial, but a successful one does not.
        case (.halfOpen, .success) where permit.role == .withinTrial: break
        case (.halfOpen, .nothing) where permit.role == .withinTrial: break
        case (.closed, .success), (.halfOpen, .success):
            enter(.closed(failures: 0))
        case (.closed(let failures), .failure) where failures + 1 < breaker.failures:
            state = .closed(failures: failures + 1)
        case (.closed(let failures), .failure(let cause)):
            open(failures: failures + 1, cause: cause, now: now, date: date)
        case (.halfOpen(let opening), .failure(let cause)):
            open(failures: opening.failures + 1, cause: cause, now: now, date: date)
        case (.halfOpen(let opening), .nothing):
            // The next call becomes the trial call.
            enter(.open(opening))
        case (.closed, .nothing), (.open, _): break
        }
    }

    private mutating func open(failures: Int, cause: APIError, now: Duration, date: Date) {
        enter(.open(Opening(failures: failures, until: now + breaker.time, since: date, cause: cause)))
    }

    private mutating func enter(_ next: State) {
        if case .closed = state, case .closed = next {} else { number += 1 }
        state = next
    }

    /// The rejection of a call.
    struct Rejection: Error {
        let opening: Opening
        let isHalfOpen: Bool
    }
}

/// The circuits of one breaker in a client, by origin.
package final class Circuits: Sendable {
    private let breaker: CircuitBreaker
    private let circuits = Locked(LRUStore<HTTPRequest.Origin, Circuit>())

    package init(_ breaker: CircuitBreaker) { self.breaker = breaker }

    /// The number of circuits.
    package var count: Int { circuits.withLock { $0.count } }

    func admit(
        to origin: HTTPRequest.Origin,
        now: Duration,
        within outer: Circuit.Permit?
    ) -> Result<Circuit.Permit, Circuit.Rejection> {
        change(origin) { $0.admit(now: now, within: outer) }
    }

    func end(
        _ permit: Circuit.Permit,
        to origin: HTTPRequest.Origin,
        _ outcome: Circuit.Outcome,
        now: Duration,
        date: Date
    ) {
        change(origin) { $0.end(permit, outcome, now: now, date: date) }
    }

    private func change<Result>(_ origin: HTTPRequest.Origin, _ change: (inout Circuit) -> Result) -> Result {
        circuits.withLock { $0.change(origin, new: Circuit(breaker), change) }
    }
}
