import WaybillSystem

/// The state of a circuit breaker for one origin.
///
/// Calls that were admitted under one state say nothing about a later one: each has a permit with the state's number.
struct Circuit: BoundedState {
    /// The permit of an admitted call, which it returns at its end.
    struct Permit: Sendable {
        enum Role {
            case ordinary, trial
            /// A call on behalf of the trial call, for a token perhaps.
            case withinTrial
        }

        fileprivate let number: Int
        let role: Role
    }

    /// The outcome of a call, if it says anything about the server.
    enum Outcome {
        case success
        case failure(APIError)
        case nothing
    }

    /// The reason for which it is open.
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

    /// Whether it is as it was made: it was never open, and no failure counts.
    var isAsNew: Bool {
        if case .closed(failures: 0) = state { number == 0 } else { false }
    }

    /// Whether it keeps calls back; a closed one has but a few failures that count.
    var matters: Bool { if case .closed = state { false } else { true } }

    /// Admits a call, or returns the reason for its rejection.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - outer: the permit of the call within which it is made.
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
        // Without its inner calls the trial call could never succeed.
        case .halfOpen where outer?.number == number: return .success(Permit(number: number, role: .withinTrial))
        case .halfOpen(let opening): return .failure(Rejection(opening: opening, isHalfOpen: true))
        }
    }

    /// Takes a call's end.
    mutating func end(_ permit: Permit, _ outcome: Outcome, now: Duration, date: Date) {
        guard permit.number == number else { return }
        switch (state, outcome) {
        // An inner call may fail on behalf of the trial call, and not succeed on its behalf.
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
            // The next call is the trial call instead.
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

/// The circuits of a client, by origin.
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
