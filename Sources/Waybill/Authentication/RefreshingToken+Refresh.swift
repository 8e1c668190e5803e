import WaybillSystem

extension RefreshingToken: RenewableSecret {
    package var declarationError: DeclarationError? {
        if refreshBefore < .zero {
            return DeclarationError(
                clause: "Authorization",
                value: "RefreshingToken(refreshBefore: \(refreshBefore))",
                reason: "the time before expiry cannot be negative; give zero or more"
            )
        }
        guard waiting < 1 else { return nil }
        return DeclarationError(
            clause: "Authorization",
            value: "RefreshingToken(waiting: \(waiting))",
            reason: "the call that starts a refresh waits for it; let at least 1 wait"
        )
    }

    /// The current token, even if it has expired.
    package var present: IssuedSecret { state.withLock { $0.issued() } }

    /// Returns the token to send, refreshing it first if it has expired.
    package func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret {
        let date = now()
        let (age, issued, asksServer) = state.withLock { state in
            let age = state.age(at: date, refreshBefore: refreshBefore)
            return (age, state.issued(), waitsForChallenge && state.rejection == nil)
        }
        switch age {
        case .good: return issued
        case .ending, .missing: if asksServer { return issued }
        case .over:
            if asksServer { return IssuedSecret(text: nil, number: issued.number, wasAwaited: false) }
        }
        guard age == .ending else { return try await awaited(after: issued.number, now) }
        // A call made by the refresh itself must not start another refresh.
        if !isRefreshingHere, let inFlight = state.withLock({ $0.begin(after: issued.number) }) { run(inFlight, now) }
        return issued
    }

    /// Returns a replacement for a rejected token.
    package func renewed(
        after rejected: IssuedSecret,
        by headerFields: HTTPFields,
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret {
        state.withLock { $0.rejection = headerFields }
        return try await awaited(after: rejected.number, now)
    }

    /// Records a rejection, so the next call refreshes the token.
    package func reject(_ rejected: IssuedSecret, by headerFields: HTTPFields) {
        state.withLock { state in
            guard state.number == rejected.number else { return }
            state.rejection = headerFields
            state.isRejected = true
        }
    }
}

extension RefreshingToken {
    private var isRefreshingHere: Bool { TaskContext.current.refreshingTokens.contains(ObjectIdentifier(self)) }

    /// Returns a newer token: at once if it exists, otherwise after a refresh.
    private func awaited(after number: Int, _ now: @escaping @Sendable () -> Date) async throws -> IssuedSecret {
        guard !isRefreshingHere else { throw RefreshNeedsItself() }
        let id = state.withLock { $0.nextWaiterID() }
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (outcome, inFlight) = state.withLock { state -> (Outcome?, InFlightRefresh?) in
                    // If the task is cancelled after this check, the handler below finds the waiter.
                    if Task.isCancelled { return (.failure(CancellationError()), nil) }
                    if state.number != number, state.token != nil { return (.success(state.issued()), nil) }
                    guard state.waiterCount < waiting else { return (.failure(TooManyWaiting(limit: waiting)), nil) }
                    state.wait(id, waiter)
                    return (nil, state.begin(after: state.number))
                }
                if let outcome { waiter.resume(returning: outcome) }
                if let inFlight { run(inFlight, now) }
            }
        } onCancel: {
            state.withLock { $0.forget(id) }?.resume(returning: .failure(CancellationError()))
        }
        return try outcome.get()
    }

    /// Refreshes the token in a new task.
    private func run(_ inFlight: InFlightRefresh, _ now: @escaping @Sendable () -> Date) {
        Task {
            await TaskContext.run(changing: enterRefresh) { await refresh(inFlight, now) }
        }
    }

    private func enterRefresh(_ context: inout TaskContext) {
        // Other calls may still be waiting for the refresh after the deadline of the call that started it.
        context.deadline = nil
        context.refreshingTokens.append(ObjectIdentifier(self))
    }

    private func refresh(_ inFlight: InFlightRefresh, _ now: @Sendable () -> Date) async {
        let date = now()
        let result: Result<AccessToken, any Error>
        do {
            result = .success(try await refresh(inFlight.context))
        } catch {
            result = .failure(error)
        }
        let arrival = now()
        let (waiters, outcome) = state.withLock { state in
            state.end(inFlight.number, result, since: date, arrival: arrival, refreshBefore: refreshBefore)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}

/// The error of a call that needs the token being refreshed but is itself made by the refresh.
struct RefreshNeedsItself: Error, CustomStringConvertible {
    let description =
        "the refresh of the token makes a call that needs the token itself; declare Authorization.none on that call"
}
