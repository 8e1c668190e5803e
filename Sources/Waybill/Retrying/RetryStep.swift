import Foundation

/// Sends a request until it succeeds, or until nothing speaks for another attempt.
package struct RetryStep: Middleware {
    /// An attempt that failed.
    private struct Failed {
        let error: APIError
        /// Who answered, where one did.
        var answering: HTTPURL?
        /// The response, where one came.
        var response: HTTPResponse?

        /// Whether a redirect had led to another origin.
        func hasLeft(_ request: HTTPRequest) -> Bool {
            if case .transport(let failure) = error, failure.error.hasLeftOrigin { return true }
            return answering.map { Origin($0) != Origin(request.url) } ?? false
        }
    }

    /// How many earlier failures an error has at most: each may have a body.
    private static var toldFailures: Int { 20 }

    private let rules: Retry.Rules
    private let budget: RetryBudgets.Share?
    private let failure: @Sendable (HTTPResponse, Call) -> APIError?

    /// Creates the step.
    ///
    /// - Parameters:
    ///   - rules: what is declared.
    ///   - budget: what is left for all calls; nil where nothing bounds them.
    ///   - failure: the failure that a response is.
    package init(
        _ rules: Retry.Rules,
        budget: RetryBudgets.Share?,
        failure: @escaping @Sendable (HTTPResponse, Call) -> APIError?
    ) {
        self.rules = rules
        self.budget = budget
        self.failure = failure
    }

    /// Sends the request, again and again where that is declared and allowed.
    package func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        var request = request
        var earlier: [APIError] = []
        var spent: Int?
        while true {
            let attempt = call.at(attempt: request.attempt)
            let failed: Failed
            var answering: HTTPURL?
            do throws(APIError) {
                var response = try await next(request)
                answering = response.url
                // A body that breaks off is a failed attempt too.
                try await attempt.readBody(of: &response)
                let isSuccess = call.plan.isSuccess(response.status)
                guard !isSuccess, rules.statuses.contains(response.status), let error = failure(response, attempt)
                else {
                    if isSuccess { budget?.put(spent ?? budget?.terms.refund ?? 0) }
                    response.earlierFailures = earlier
                    return response
                }
                failed = Failed(error: error, answering: answering, response: response)
            } catch {
                failed = Failed(error: error, answering: answering)
            }
            guard failed.response != nil || Repetition.mayHelp(failed.error), request.attempt < rules.attempts else {
                return try end(failed, nil, earlier)
            }
            let wait: Duration
            switch decision(on: request, of: attempt, failed) {
            case .success(let decided): (wait, spent) = decided
            case .failure(let refusal): return try end(failed, refusal, earlier)
            }
            attempt.report(.retried(after: wait, because: failed.error))
            earlier.append(failed.error)
            // The first ones and the last ones tell what there is to tell.
            if earlier.count > Self.toldFailures { earlier.remove(at: Self.toldFailures / 2) }
            request.attempt += 1
            call.context.failedAttempts?.withLock { [earlier] in $0 = earlier }
            do throws(APIError) {
                try await rest(wait, call.at(attempt: request.attempt), earlier)
            } catch {
                // Nothing was repeated.
                if let spent { budget?.put(spent) }
                throw error
            }
        }
    }

    /// How long to wait before the next attempt and what it costs, or why there is none.
    private func decision(
        on request: HTTPRequest,
        of call: Call,
        _ failed: Failed
    ) -> Result<(Duration, Int?), RetryRefusal> {
        let key = call.settings[IdempotencyKey.self]?.name
        let refusal = Repetition.refusal(
            of: request,
            after: failed.error,
            methods: rules.methods,
            key: key,
            hasLeftOrigin: failed.hasLeft(request)
        )
        if let refusal { return .failure(refusal) }
        let asked = failed.response.flatMap { self.asked(by: $0, call) } ?? .zero
        guard asked <= rules.longestWait else {
            return .failure(.waitIsTooLong(asked, longest: rules.longestWait))
        }
        // All whom the server has told the same time would come back at the same moment without some backoff on top.
        let wait = asked + rules.backoff.wait(afterAttempt: call.attempt, fraction: call.context.randomness.fraction)
        if let remaining = call.context.deadline?.remaining(), wait >= remaining {
            return .failure(.waitPassesDeadline(wait, remaining: remaining))
        }
        guard let budget else { return .success((wait, nil)) }
        let cost = budget.take(afterTimeout: Repetition.isTimeout(failed.error))
        return cost.map { .success((wait, $0)) } ?? .failure(.budgetIsEmpty)
    }

    /// The wait that the server asks for: the longest, where it asks in several places.
    private func asked(by response: HTTPResponse, _ call: Call) -> Duration? {
        let fields = response.headerFields[values: .retryAfter]
        // The server's own date is the one that its dates are meant by.
        let date = fields.isEmpty ? nil : response.headerFields[.date]
        let now = fields.isEmpty ? nil : date.flatMap { HTTPDate.date(from: $0) } ?? call.context.dates.now
        let waits = now.map { now in fields.compactMap { RetryAfter($0, now: now)?.wait(from: now) } } ?? []
        return (waits + [rules.hint?.wait(in: response.body)].compactMap { $0 }).max()
    }

    /// Ends with a failed attempt: its response goes on to who asked, and tells what was before.
    private func end(
        _ failed: Failed,
        _ refusal: RetryRefusal?,
        _ earlier: [APIError]
    ) throws(APIError) -> HTTPResponse {
        if var response = failed.response {
            response.earlierFailures = earlier
            response.retryRefusal = refusal
            return response
        }
        var error = failed.error
        error.call.earlierFailures = earlier
        error.call.retryRefusal = refusal
        throw error
    }

    private func rest(_ wait: Duration, _ call: Call, _ earlier: [APIError]) async throws(APIError) {
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
