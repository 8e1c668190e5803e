import Waybill

/// A step that waits for a call's permits and applies the limits reported by the server.
package struct LimitStep: CallStep {
    /// The permits of the enclosing call, on whose behalf this call is made.
    private static var outer: HeldPermits? { TaskContext.current.permits as? HeldPermits }

    private let limits: [Limit]

    /// Creates the step; nil if there are no limits.
    package init?(_ limits: LimitRules?) {
        guard let limits = limits?.effective, !limits.isEmpty else { return nil }
        self.limits = limits
    }

    /// Sends the request when its turn comes.
    ///
    /// - Throws: `APIError.rejected` if it would wait too long; the errors of the inner steps.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        let limiter = call.context.storage.state(for: "limits") { Limiter(call.context.time) }
        let origin = HTTPRequest.Origin(request.url)
        let keys = keys(of: limiter, for: origin)
        let numbers: [Int]
        if let outcome = limiter.enter(keys, within: call.context.deadline?.remaining()) {
            numbers = try call.numbers(of: outcome)
        } else {
            call.report(.queued)
            numbers = try call.numbers(of: await limiter.wait(keys, within: call.context.deadline?.remaining()))
        }
        let permits = HeldPermits(keys, of: limiter, within: Self.outer)
        let leaving = EndAction {
            permits.end()
            limiter.leave(keys)
        }
        var isStreaming = false
        defer { if !isStreaming { leaving.run() } }
        var response = try await TaskContext.run(changing: { $0.permits = permits }) { () async throws(APIError) in
            try await next(request)
        }
        respect(response, to: request, origin, call, limiter, keys, numbers)
        try await call.readBody(of: &response)
        if !response.isRead {
            isStreaming = true
            response.body = response.body.ending(with: leaving)
        }
        return response
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func keys(of limiter: Limiter, for origin: HTTPRequest.Origin?) -> [LimitKey] {
        let all = limits.map { LimitKey(limit: $0, origin: $0.destination == .eachOrigin ? origin : nil) }
        // A call on behalf of another, for example to fetch a token, shares its permits. Otherwise, the two calls would
        // deadlock.
        let context = TaskContext.current
        guard context.isRefreshing || context.isBehindLimit else { return all }
        let outer = Self.outer
        return all.filter { key in
            key.limit.isRate || !(context.isRefreshing || (outer?.contains(key, of: limiter) ?? false))
        }
    }

    /// Applies the limits reported in a response, unless the response comes from a different origin.
    @inline(never)  // keeps frames small: see Architecture.md
    private func respect(
        _ response: CallResponse,
        to request: CallRequest,
        _ origin: HTTPRequest.Origin?,
        _ call: Call,
        _ limiter: Limiter,
        _ keys: [LimitKey],
        _ numbers: [Int]
    ) {
        guard HTTPRequest.Origin(response.url ?? request.url) == origin else { return }
        let hint = RateLimitHint(in: response.message, now: call.context.dates.now)
        if let hint { limiter.hold(keys, as: hint) }
        guard !numbers.isEmpty, hint?.source != .retryAfter else { return }
        let quotas = RateLimitQuota.all(in: response.message, now: call.context.dates.now)
        if !quotas.isEmpty { limiter.pace(keys, numbers, by: quotas) }
    }
}

extension Call {
    @inline(never)  // keeps frames small: see Architecture.md
    fileprivate func numbers(of outcome: Limiter.Outcome) throws(APIError) -> [Int] {
        switch outcome {
        case .passed(let numbers): return numbers
        case .cancelled: throw failure(CancellationError())
        case .rejected(let rejection): throw failure(rejection)
        }
    }

    private func failure(_ rejection: LimitRejection) -> APIError {
        let reason: APIError.RejectedFailure.Reason =
            switch rejection {
            case .tooManyWaiting(let limit): .tooManyWaiting(limit: limit)
            case .tooLate(let delay, let wait, let bound):
                .rateLimited(until: context.dates.now.addingTimeInterval(delay / .seconds(1)), wait: wait, bound: bound)
            }
        return .rejected(APIError.RejectedFailure(call: plan.failedCall(attempt: attempt), reason: reason))
    }
}

/// The permits held by a call, for calls made on its behalf.
final class HeldPermits: Sendable {
    private let keys: [LimitKey]
    private let limiter: Limiter
    private let outer: HeldPermits?
    private let isOver = Locked(false)

    init(_ keys: [LimitKey], of limiter: Limiter, within outer: HeldPermits?) {
        self.keys = keys
        self.limiter = limiter
        self.outer = outer
    }

    /// Whether the call, or one that encloses it, currently holds a permit for a limit.
    func contains(_ key: LimitKey, of other: Limiter) -> Bool {
        if other === limiter, keys.contains(key), !isOver.withLock({ $0 }) { return true }
        return outer?.contains(key, of: other) ?? false
    }

    /// Marks the permits as released, because a task started within the call may outlive it.
    func end() { isOver.withLock { $0 = true } }
}

extension TaskLocal {
    /// Passes a request to the next step with the task-local value bound; unlike the built-in method, preserves the
    /// type of the error.
    func withValue(
        _ value: Value,
        call next: CallStep.Next,
        with request: CallRequest
    ) async throws(APIError) -> CallResponse {
        let result: Result<CallResponse, APIError> = await withValue(value) {
            do throws(APIError) {
                return .success(try await next(request))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension LimitRules: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) { steps.add(LimitStep(self), at: .queue) }
}
