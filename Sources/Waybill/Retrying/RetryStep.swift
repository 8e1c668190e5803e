import WaybillSystem

/// A step that repeats a request until it succeeds or no retry is allowed.
package struct RetryStep: CallStep {
    /// A failed attempt.
    private struct Failed {
        let error: APIError
        /// The URL of the response, if there was one.
        var responseURL: URL?
        /// The response, if there was one.
        var response: CallResponse?

        /// Whether a redirect led to another origin.
        func hasLeft(_ request: CallRequest) -> Bool {
            if case .transport(let failure) = error, failure.hasLeftOrigin { return true }
            return responseURL.map { HTTPRequest.Origin($0) != HTTPRequest.Origin(request.url) } ?? false
        }
    }

    /// The maximum number of earlier failures in an error; each of them can contain a body.
    private static var reportedFailures: Int { 20 }

    private let rules: Retry.Rules
    private let budget: RetryBudgets.Share?

    /// Creates the step.
    ///
    /// - Parameters:
    ///   - rules: the declared rules.
    ///   - budget: the shared budget for retries; nil if they are unlimited.
    package init(_ rules: Retry.Rules, budget: RetryBudgets.Share?) {
        self.rules = rules
        self.budget = budget
    }

    /// The attempts of a call so far.
    private struct Attempts {
        /// The request of the next attempt.
        var request: CallRequest
        var earlier: [APIError] = []
        /// The number of retries caused by each rule, keyed by the rule's index.
        var retries: [Int: Int] = [:]
        /// The number of tokens taken from the budget by the latest retry.
        var spent: Int?
    }

    /// The next step after a failed attempt.
    private enum Continuation {
        case response(CallResponse)
        case wait(Duration)
    }

    /// Sends the request, and retries it within the limits of the rules and the budget.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        var attempts = Attempts(request: request)
        while true {
            let attempt = call.at(attempt: attempts.request.attempt)
            let failed: Failed
            var responseURL: URL?
            do throws(APIError) {
                var response = try await next(attempts.request)
                responseURL = response.url
                // An attempt with an incomplete body also counts as failed.
                try await attempt.readBody(of: &response)
                switch outcome(&response, of: attempt, after: attempts) {
                case nil: return response
                case let failure?: failed = failure
                }
            } catch {
                failed = Failed(error: error, responseURL: responseURL)
            }
            switch try continuation(after: failed, of: attempt, &attempts) {
            case .response(let response): return response
            case .wait(let wait):
                let next = call.at(attempt: attempts.request.attempt)
                do throws(APIError) {
                    try await rest(for: wait, before: next, earlier: attempts.earlier)
                } catch {
                    // Return the tokens, because the retry was not sent.
                    if let spent = attempts.spent { budget?.put(spent) }
                    throw error
                }
            }
        }
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func outcome(_ response: inout CallResponse, of attempt: Call, after attempts: Attempts) -> Failed? {
        let isSuccess = attempt.plan.isSuccess(response.status)
        if !isSuccess, rules.statuses.contains(response.status), let failure = attempt.failure(of: &response) {
            return Failed(error: .status(failure), responseURL: response.url, response: response)
        }
        if isSuccess { budget?.put(attempts.spent ?? budget?.terms.refund ?? 0) }
        response.earlierFailures = attempts.earlier
        return nil
    }

    /// Decides whether to retry, and prepares the next attempt.
    ///
    /// - Throws: the error of the failed attempt if it is not retried and has no response.
    @inline(never)  // keeps frames small: see Architecture.md
    private func continuation(
        after failed: Failed,
        of attempt: Call,
        _ attempts: inout Attempts
    ) throws(APIError) -> Continuation {
        guard let index = rule(for: failed), attempts.retries[index] ?? 0 < rules.rules[index].retries else {
            return .response(try end(failed, rejection: nil, earlier: attempts.earlier))
        }
        let number = (attempts.retries[index] ?? 0) + 1
        let wait: Duration
        switch decision(on: attempts.request, of: attempt, failed, rules.rules[index], retry: number) {
        case .success(let decided): (wait, attempts.spent) = decided
        case .failure(let rejection):
            return .response(try end(failed, rejection: rejection, earlier: attempts.earlier))
        }
        attempts.retries[index] = number
        attempt.report(.retried(after: wait, because: failed.error))
        attempts.earlier.append(failed.error)
        // Keep the first and the most recent failures, which are the most useful.
        if attempts.earlier.count > Self.reportedFailures {
            attempts.earlier.remove(at: Self.reportedFailures / 2)
        }
        attempts.request.attempt += 1
        attempt.context.failedAttempts = attempts.earlier
        return .wait(wait)
    }

    /// Returns the index of the rule that applies to a failed attempt; nil if no rule does.
    private func rule(for failed: Failed) -> Int? {
        if let response = failed.response {
            return rules.rules.firstIndex { $0.statuses.contains(response.status) }
        }
        guard case .transport(let failure) = failed.error else { return nil }
        return rules.rules.firstIndex { $0.errors.contains(failure.error.kind) }
    }

    /// Returns the wait before the next attempt and its cost in tokens, or the reason not to retry.
    private func decision(
        on request: CallRequest,
        of call: Call,
        _ failed: Failed,
        _ rule: Retry.Rule,
        retry: Int
    ) -> Result<(Duration, Int?), APIError.RetryRejection> {
        let key = call.settings[IdempotencyKey.self]?.name
        // A resumable upload continues at the offset reported by the server, so no part of it takes effect twice.
        let isContinuable = call.context.isContinuable
        let rejection =
            isContinuable
            ? nil
            : RetryEligibility.rejection(
                of: request,
                after: failed.error,
                methods: rules.methods,
                key: key,
                hasLeftOrigin: failed.hasLeft(request)
            )
        if let rejection { return .failure(rejection) }
        let asked = failed.response.flatMap { self.asked(by: $0, call) } ?? .zero
        guard asked <= rule.maximumWait else {
            return .failure(.waitIsTooLong(asked, maximum: rule.maximumWait))
        }
        // The backoff spreads out clients that were told to wait for the same duration.
        let wait = asked + rule.backoff.wait(afterAttempt: retry, fraction: call.context.randomSource.fraction)
        if let remaining = call.context.deadline?.remaining(), wait >= remaining {
            return .failure(.waitPassesDeadline(wait, remaining: remaining))
        }
        guard let budget else { return .success((wait, nil)) }
        let cost = budget.take(afterTimeout: RetryEligibility.isTimeout(failed.error))
        return cost.map { .success((wait, $0)) } ?? .failure(.budgetIsEmpty)
    }

    /// Returns the wait requested by the server, or the longest one if there are several.
    private func asked(by response: CallResponse, _ call: Call) -> Duration? {
        let fields = response.headerFields[values: .retryAfter]
        // Dates in `Retry-After` refer to the server's clock.
        let date = fields.isEmpty ? nil : response.headerFields[.date]
        let now = fields.isEmpty ? nil : date.flatMap { HTTPDate.date(from: $0) } ?? call.context.dates.now
        let waits = now.map { now in fields.compactMap { RetryAfter($0, now: now)?.wait(from: now) } } ?? []
        return (waits + [rules.hint?.wait(in: response.body)].compactMap { $0 }).max()
    }

    /// Ends the call with the failed attempt: returns its response or throws its error, with the earlier failures
    /// added.
    private func end(
        _ failed: Failed,
        rejection: APIError.RetryRejection?,
        earlier: [APIError]
    ) throws(APIError) -> CallResponse {
        if var response = failed.response {
            response.earlierFailures = earlier
            response.retryRejection = rejection
            return response
        }
        var error = failed.error
        error.call.earlierFailures = earlier
        error.call.retryRejection = rejection
        throw error
    }

    private func rest(for wait: Duration, before call: Call, earlier: [APIError]) async throws(APIError) {
        do {
            if wait > .zero { try await call.context.time.sleep(for: wait) }
            try Task.checkCancellation()
        } catch {
            var error = call.failure(error)
            error.call.earlierFailures = earlier
            throw error
        }
    }
}

/// The criteria for which failures may be temporary and which requests can be sent again.
package enum RetryEligibility {
    /// Whether another attempt may succeed after an error.
    package static func mayHelp(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error else { return false }
        return Retry.Rule.temporaryErrors.contains(failure.error.kind)
    }

    /// Returns the reason a failed request must not be sent again; nil if it can be.
    package static func rejection(
        of request: CallRequest,
        after error: APIError,
        methods: Set<HTTPRequest.Method>,
        key: HTTPField.Name?,
        hasLeftOrigin: Bool
    ) -> APIError.RetryRejection? {
        let wasSent = wasSent(error)
        // Redirects to another origin omit the key.
        let isKnown = !hasLeftOrigin && hasKey(request, key)
        guard !wasSent || methods.contains(request.method) || isKnown else { return .notIdempotent }
        return request.body?.isReplayable ?? true ? nil : .bodyIsNotReplayable
    }

    /// Whether a server may have processed any part of the request.
    package static func wasSent(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error, !failure.isBehindRedirect, !failure.error.mayBeSent else {
            return true
        }
        if failure.error.isUnprocessed { return false }
        if let phase = failure.error.phase { return !phase.isBeforeSending }
        return ![.notConnected, .cannotResolveHost, .cannotConnect].contains(failure.error.kind)
    }

    private static func hasKey(_ request: CallRequest, _ declared: HTTPField.Name?) -> Bool {
        [declared, IdempotencyKey.usualName].contains { name in
            guard let name, let value = request.headerFields[name] else { return false }
            return !value.isEmpty
        }
    }

    /// Whether the failure is a transport timeout.
    static func isTimeout(_ error: APIError) -> Bool {
        if case .transport(let failure) = error { failure.error.kind == .timedOut } else { false }
    }
}

extension APIError {
    /// Whether the server may have acted on the failed call.
    package var mayHaveTakenEffect: Bool {
        switch self {
        case .request, .authorization, .rejected: false
        case .transport: RetryEligibility.wasSent(self)
        case .cancelled(let failure): failure.awaitedServer
        default: true
        }
    }
}

extension Retry: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        guard let rules else { return }
        steps.add(RetryStep(rules, budget: RetryBudgets.share(of: call)), at: .attempts)
    }
}
