import WaybillSystem

extension RefreshingToken: RenewableSecret {
    package var declarationError: Scope.DeclarationError? {
        if refreshBefore < .zero {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: "RefreshingToken(refreshBefore: \(refreshBefore))",
                reason: "the time before expiry cannot be negative; give zero or more"
            )
        }
        guard waiting < 1 else { return nil }
        return Scope.DeclarationError(
            clause: "Authorization",
            value: "RefreshingToken(waiting: \(waiting))",
            reason: "the call that starts a refresh also waits for it; give 1 or more"
        )
    }

    /// The current token, even if it has expired.
    package var present: IssuedSecret { state.withLock { $0.issued() } }

    /// Returns the token to send, refreshing it first if it is missing or has expired.
    ///
    /// If the token is about to expire, this method starts a refresh without waiting for it. If `waitsForChallenge` is
    /// true, there is no refresh before the first rejection.
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

    /// Records a rejection; the next call refreshes the token.
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

    /// Returns a newer token, waiting for a refresh if necessary.
    private func awaited(after number: Int, _ now: @escaping @Sendable () -> Date) async throws -> IssuedSecret {
        guard !isRefreshingHere else { throw RefreshNeedsItself() }
        let outcome = await state.wait(cancelled: Outcome.failure(CancellationError())) { state, waiter in
            if state.number != number, state.token != nil { return .success(state.issued()) }
            guard state.waiters.count < waiting else { return .failure(TooManyWaiting(limit: waiting)) }
            state.waiters.add(waiter)
            // Creating a task does not run its code, so it is safe to hold the lock.
            if let inFlight = state.begin(after: state.number) { run(inFlight, now) }
            return nil
        } removing: { state, id in
            state.waiters.remove(id)
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
        // Other calls may wait for the refresh beyond the deadline of the call that started it.
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

/// The error for a call that is made by a refresh and needs the token being refreshed.
struct RefreshNeedsItself: Error, CustomStringConvertible {
    let description =
        "the refresh of the token makes a call that needs the same token; declare Authorization.none on that call"
}
