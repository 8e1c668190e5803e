/// Has a call wait for its turn, and heeds what the server says about limits of its own.
package struct LimitStep: Middleware {
    @TaskLocal private static var outer: HeldPlaces?

    private let limits: [Limit]

    /// Makes the step; nil where no limit counts.
    package init?(_ limits: LimitRules?) {
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
        let all = limits.map { LimitKey(limit: $0, origin: $0.extent == .host ? origin : nil) }
        // What is called on behalf of a call, for a token perhaps, goes with it: both would wait for ever.
        let keys = all.filter { key in
            key.limit.isRate || !(Errand.isRefresh || (Self.outer?.contains(key, of: limiter) ?? false))
        }
        switch await limiter.enter(keys, within: context.deadline?.remaining(), queued: { call.report(.queued) }) {
        case .passed: break
        case .cancelled: throw call.failure(CancellationError())
        case .refused(let refusal): throw call.failure(refusal)
        }
        let places = HeldPlaces(keys, of: limiter, within: Self.outer)
        defer {
            places.end()
            limiter.leave(keys)
        }
        let behind: Next = { (request) async throws(APIError) in
            try await Errand.$isBehindLimit.withValue(true, call: next, with: request)
        }
        var response = try await Self.$outer.withValue(places, call: behind, with: request)
        if Origin(response.url ?? request.url) == origin,
            let wait = RateLimitHint.wait(after: response, now: context.dates.now)
        {
            limiter.hold(keys, for: wait)
        }
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
