extension Client {
    /// What a request passes on its way, the outermost step first; a step is there only where it is declared.
    private func steps(of call: Call) -> [any Middleware] {
        var steps: [any Middleware] = []
        if let step = IdempotencyStep(call) { steps.append(step) }
        steps += call.settings[MiddlewareChain.self]?.middlewares ?? []
        if let cache = CacheStep.step(of: call) { steps.append(cache) }
        if let coalescing = CoalescingStep(of: call) { steps.append(coalescing) }
        if let rules = call.settings[Retry.self]?.rules {
            steps.append(RetryStep(rules, budget: RetryBudgets.share(of: call), failure: Self.failure))
        }
        steps += call.settings[AttemptMiddlewareChain.self]?.middlewares ?? []
        if let step = LimitStep(call.settings[LimitRules.self]) { steps.append(step) }
        if let step = CircuitBreakerStep(call.settings[CircuitBreaker.self]) { steps.append(step) }
        if let credential = call.plan.credential { steps.append(CredentialStep(credential)) }
        return steps
    }

    /// The failure that a response is, whose body has been read.
    @Sendable private static func failure(_ response: HTTPResponse, of call: Call) -> APIError? {
        Reply(response, of: call.plan)
            .failure(of: call.plan, request: response.request ?? call.plan.request)
            .map(APIError.status)
    }

    /// The steps of a call around redirects around signing around the transport.
    func chain(of call: Call) -> Middleware.Next {
        let call = CoalescingStep.prepared(call)
        let observed: any Transport =
            call.isObserved ? ObservedTransport(transport: transport, call: call) : transport
        let last = OwnOriginTransport.isNeeded(for: call) ? OwnOriginTransport(observed, for: call) : observed
        let redirects = RedirectFollowing(transport: last, plan: call.plan)
        // Nothing is counted for bodies that can be sent any number of times.
        let sends = call.plan.body?.isReplayable ?? true ? nil : Counter()
        var next: Middleware.Next = { (request) async throws(APIError) in
            let call = call.at(attempt: request.attempt)
            if let sends, sends.next() > 1, request.body?.isReplayable == false {
                throw call.transportFailure(
                    TransportError(.unsupportedRequest, "its body cannot be sent a second time")
                )
            }
            // A credential may have come when the call was over.
            guard !Task.isCancelled else { throw call.failure(CancellationError()) }
            do throws(TransportError) {
                var response = try await redirects.send(request)
                // Not set again where it is known: its secrets are looked for.
                if response.request == nil { response.request = request }
                response.attempt = request.attempt
                return response
            } catch {
                // What kept a request from being signed is no matter of the transport.
                if case .authorization(let failure)? = error.underlying as? APIError { throw .authorization(failure) }
                throw call.transportFailure(error, sent: request)
            }
        }
        for step in steps(of: call).reversed() {
            let inner = next
            next = { (request) async throws(APIError) in
                try await step.handle(request, of: call.at(attempt: request.attempt), next: inner)
            }
        }
        return next
    }
}
