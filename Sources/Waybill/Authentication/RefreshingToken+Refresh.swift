import Foundation

extension RefreshingToken: RenewableSecret {
    package var mistake: Mistake? {
        if refreshBefore < .zero {
            return Mistake(
                clause: "Authorization",
                value: "RefreshingToken(refreshBefore: \(refreshBefore))",
                reason: "a token cannot be refreshed so long after its expiry; give zero or more"
            )
        }
        guard waiting < 1 else { return nil }
        return Mistake(
            clause: "Authorization",
            value: "RefreshingToken(waiting: \(waiting))",
            reason: "the call that starts a refresh waits for it; let at least 1 wait"
        )
    }

    /// The token as it is, though it may have expired.
    package var present: IssuedSecret { state.withLock { $0.issued() } }

    /// The token to send; one that has expired is refreshed first.
    package func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret {
        let date = now()
        let (age, issued, asksServer) = state.withLock { state in
            let age = state.age(at: date, refreshBefore: refreshBefore)
            return (age, state.issued(), waitsForChallenge && state.challenges.isEmpty)
        }
        switch age {
        case .good: return issued
        case .ending, .missing: if asksServer { return issued }
        case .over:
            if asksServer { return IssuedSecret(text: nil, number: issued.number, wasAwaited: false) }
        }
        guard age == .ending else { return try await awaited(after: issued.number, now) }
        // A call within the refresh would start another one for itself.
        if !isRefreshingHere, let flight = state.withLock({ $0.begin(after: issued.number) }) { run(flight, now) }
        return issued
    }

    /// The token in place of one that was refused.
    package func renewed(
        after refused: IssuedSecret,
        challenges: [Challenge],
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret {
        state.withLock { $0.challenges = challenges }
        return try await awaited(after: refused.number, now)
    }

    /// Takes note that a token was refused, for the next call.
    package func refuse(_ refused: IssuedSecret, challenges: [Challenge]) {
        state.withLock { state in
            guard state.number == refused.number else { return }
            state.challenges = challenges
            state.isRefused = true
        }
    }
}

extension RefreshingToken {
    private var isRefreshingHere: Bool { Self.refreshing.contains(ObjectIdentifier(self)) }

    /// The token that follows one: at once where it is there, else when it has been refreshed.
    private func awaited(after number: Int, _ now: @escaping @Sendable () -> Date) async throws -> IssuedSecret {
        guard !isRefreshingHere else { throw RefreshNeedsItself() }
        let id = UUID()
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (outcome, flight) = state.withLock { state -> (Outcome?, Flight?) in
                    // A cancellation that comes after this question finds the waiter.
                    if Task.isCancelled { return (.failure(CancellationError()), nil) }
                    if state.number != number, state.token != nil { return (.success(state.issued()), nil) }
                    guard state.waiterCount < waiting else { return (.failure(TooManyWaiting(limit: waiting)), nil) }
                    state.wait(id, waiter)
                    return (nil, state.begin(after: state.number))
                }
                if let outcome { waiter.resume(returning: outcome) }
                if let flight { run(flight, now) }
            }
        } onCancel: {
            state.withLock { $0.forget(id) }?.resume(returning: .failure(CancellationError()))
        }
        return try outcome.get()
    }

    /// Refreshes the token, in a task of its own.
    private func run(_ flight: Flight, _ now: @escaping @Sendable () -> Date) {
        // What one caller's time is up for, the others still wait for.
        Deadline.$current.withValue(nil) {
            Self.$refreshing.withValue(Self.refreshing + [ObjectIdentifier(self)]) {
                Errand.$isRefresh.withValue(true) {
                    _ = Task {
                        let date = now()
                        let result: Result<AccessToken, any Error>
                        do {
                            result = .success(try await refresh(flight.occasion))
                        } catch {
                            result = .failure(error)
                        }
                        let (waiters, outcome) = state.withLock { state in
                            state.end(flight.number, result, since: date, refreshBefore: refreshBefore)
                        }
                        for waiter in waiters { waiter.resume(returning: outcome) }
                    }
                }
            }
        }
    }
}

/// A call within a refresh waits for that refresh.
struct RefreshNeedsItself: Error, CustomStringConvertible {
    let description =
        "the refresh of the token makes a call that needs the token itself; declare Authorization.none on that call"
}
