/// Has a call wait for its turn, and heeds what the server says about limits of its own.
package struct LimitStep: Middleware {
    private let limits: [Limit]

    /// Makes the step; nil where no limit counts.
    package init?(_ limits: Limits?) {
        guard let limits = limits?.effective, !limits.isEmpty else { return nil }
        self.limits = limits
    }

    /// Sends the request when its turn has come.
    ///
    /// - Throws: ``APIError/refused(_:)`` where it would wait in vain.
    package func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let context = call.context
        let limiter = context.shared.state(for: "limits") { Limiter(context.time) }
        let origin = Origin(request.url)
        let keys = limits.map { LimitKey(limit: $0, origin: $0.extent == .host ? origin : nil) }
        switch await limiter.enter(keys, within: context.deadline?.remaining(), queued: { call.report(.queued) }) {
        case .passed: break
        case .cancelled: throw call.failure(CancellationError())
        case .refused(let refusal): throw call.failure(refusal)
        }
        defer { limiter.leave(keys) }
        var response = try await next(request)
        if let wait = RateLimitHint.wait(after: response, now: context.dates.now) { limiter.hold(keys, for: wait) }
        try await call.readBody(of: &response)
        return response
    }
}

extension Call {
    fileprivate func failure(_ refusal: LimitRefusal) -> APIError {
        let reason: RefusedFailure.Reason =
            switch refusal {
            case .tooManyWaiting(let limit): .tooManyWaiting(limit: limit)
            case .tooLate(let wait, let bound):
                .rateLimited(until: context.dates.now.addingTimeInterval(wait / .seconds(1)), wait: wait, bound: bound)
            }
        return .refused(RefusedFailure(call: plan.failedCall(attempt: attempt), reason: reason))
    }
}
