import Foundation

/// What a circuit breaker knows of one origin.
///
/// Calls that were let through under one state say nothing about a later one: each has a pass with the state's number.
struct Circuit: BoundedState {
    /// What a call that was let through hands back when it is over.
    struct Pass: Sendable {
        enum Role {
            case ordinary, trial
            /// A call that is made on behalf of the one on trial, for a token perhaps.
            case withinTrial
        }

        fileprivate let number: Int
        let role: Role
    }

    /// How a call ended, as far as it says something about the server.
    enum Outcome {
        case success
        case failure(APIError)
        case nothing
    }

    /// Why it is open.
    struct Opening {
        let failures: Int
        let until: Duration
        let since: Date
        let cause: APIError
    }

    private enum State {
        case closed(failures: Int)
        case open(Opening)
        case onTrial(Opening)
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

    /// Lets a call through, or gives why not, and whether another one is on trial.
    ///
    /// - Parameter outer: the pass of the call within which it is made.
    mutating func admit(now: Duration, within outer: Pass? = nil) -> Result<Pass, Refusal> {
        switch state {
        case .closed: return .success(Pass(number: number, role: .ordinary))
        case .open(let opening) where now < opening.until: return .failure(Refusal(opening: opening, isOnTrial: false))
        case .open(let opening):
            number += 1
            state = .onTrial(opening)
            return .success(Pass(number: number, role: .trial))
        // Without it the call on trial could never succeed.
        case .onTrial where outer?.number == number: return .success(Pass(number: number, role: .withinTrial))
        case .onTrial(let opening): return .failure(Refusal(opening: opening, isOnTrial: true))
        }
    }

    /// Takes a call's end.
    mutating func end(_ pass: Pass, _ outcome: Outcome, now: Duration, date: Date) {
        guard pass.number == number else { return }
        switch (state, outcome) {
        // It may fail for the call on trial, and not succeed for it.
        case (.onTrial, .success) where pass.role == .withinTrial: break
        case (.onTrial, .nothing) where pass.role == .withinTrial: break
        case (.closed, .success), (.onTrial, .success):
            enter(.closed(failures: 0))
        case (.closed(let failures), .failure) where failures + 1 < breaker.failures:
            state = .closed(failures: failures + 1)
        case (.closed(let failures), .failure(let cause)):
            open(failures + 1, cause, now, date)
        case (.onTrial(let opening), .failure(let cause)):
            open(opening.failures + 1, cause, now, date)
        case (.onTrial(let opening), .nothing):
            // The next call is on trial instead.
            enter(.open(opening))
        case (.closed, .nothing), (.open, _): break
        }
    }

    private mutating func open(_ failures: Int, _ cause: APIError, _ now: Duration, _ date: Date) {
        enter(.open(Opening(failures: failures, until: now + breaker.time, since: date, cause: cause)))
    }

    private mutating func enter(_ next: State) {
        if case .closed = state, case .closed = next {} else { number += 1 }
        state = next
    }

    /// Why a call is not let through.
    struct Refusal: Error {
        let opening: Opening
        let isOnTrial: Bool
    }
}
