/// Makes a call wait for its permits, and respects the limits that the server sends.
package struct LimitStep: CallStep {
    @TaskLocal private static var outer: HeldPermits?

    private let limits: [Limit]

    /// Creates the step; nil if no limit counts.
    package init?(_ limits: LimitRules?) {
        guard let limits = limits?.effective, !limits.isEmpty else { return nil }
        self.limits = limits
    }

    /// Sends the request when its turn has come.
    ///
    /// - Throws: ``APIError/rejected(_:)`` if it would wait in vain, and the errors of the steps behind.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        let limiter = call.context.shared.state(for: "limits") { Limiter(call.context.time) }
        let origin = HTTPURL.Origin(request.url)
        let keys = keys(of: limiter, for: origin)
        switch await limiter.enter(keys, within: call.context.deadline?.remaining(), queued: { call.report(.queued) }) {
        case .passed: break
        case .cancelled: throw call.failure(CancellationError())
        case .rejected(let rejection): throw call.failure(rejection)
        }
        let permits = HeldPermits(keys, of: limiter, within: Self.outer)
        let leaving = EndAction {
            permits.end()
            limiter.leave(keys)
        }
        var isStreaming = false
        defer { if !isStreaming { leaving.run() } }
        let behind: Next = { (request) async throws(APIError) in
            try await TaskContext.run(changing: { $0.isBehindLimit = true }) { () async throws(APIError) in
                try await next(request)
            }
        }
        var response = try await Self.$outer.withValue(permits, call: behind, with: request)
        respect(response, to: request, origin, call) { limiter.hold(keys, as: $0) }
        try await call.readBody(of: &response)
        if !response.isRead {
            isStreaming = true
            response.body = response.body.ending(with: leaving)
        }
        return response
    }

    // Not inlined: their values need no room for as long as the call waits.
    @inline(never)
    private func keys(of limiter: Limiter, for origin: HTTPURL.Origin?) -> [LimitKey] {
        let all = limits.map { LimitKey(limit: $0, origin: $0.extent == .host ? origin : nil) }
        // A call on behalf of another one, for a token perhaps, shares its permit: both would wait for each other.
        return all.filter { key in
            key.limit.isRate || !(TaskContext.current.isRefreshing || (Self.outer?.contains(key, of: limiter) ?? false))
        }
    }

    /// Holds the limits as a response asks for it, unless another origin has sent it.
    @inline(never)
    private func respect(
        _ response: CallResponse,
        to request: CallRequest,
        _ origin: HTTPURL.Origin?,
        _ call: Call,
        _ hold: (RateLimitHint) -> Void
    ) {
        guard HTTPURL.Origin(response.url ?? request.url) == origin,
            let hint = RateLimitHint(in: response.http, now: call.context.dates.now)
        else { return }
        hold(hint)
    }
}

extension Call {
    fileprivate func failure(_ rejection: LimitRejection) -> APIError {
        let reason: APIError.RejectedFailure.Reason =
            switch rejection {
            case .tooManyWaiting(let limit): .tooManyWaiting(limit: limit)
            case .tooLate(let delay, let wait, let bound):
                .rateLimited(until: context.dates.now.addingTimeInterval(delay / .seconds(1)), wait: wait, bound: bound)
            }
        return .rejected(APIError.RejectedFailure(call: plan.failedCall(attempt: attempt), reason: reason))
    }
}
