extension Client {
    /// Returns the declared steps of a call, the outermost first.
    private func steps(of call: Call) -> [any CallStep] {
        var steps: [any CallStep] =
            call.settings[MiddlewareChain.self]?.elements.map { MiddlewareStep(middleware: $0) } ?? []
        if let cache = CacheStep.step(of: call), !call.bypassesCache { steps.append(cache) }
        if let coalescing = CoalescingStep(of: call) { steps.append(coalescing) }
        if let rules = call.settings[Retry.self]?.rules {
            steps.append(RetryStep(rules, budget: RetryBudgets.share(of: call), failure: Self.failure))
        }
        if let step = call.context.bodyUse.step { steps.append(step) }
        if let step = UploadStep(call) { steps.append(step) }
        steps +=
            call.settings[AttemptMiddlewareChain.self]?.elements
            .map { MiddlewareStep(middleware: $0.middleware) } ?? []
        if let step = LimitStep(call.settings[LimitRules.self]) { steps.append(step) }
        if let step = CircuitBreakerStep(call.settings[CircuitBreaker.self]) { steps.append(step) }
        for credential in call.plan.credentials { steps.append(CredentialStep(credential)) }
        return steps
    }

    /// Returns the failure that a response is, whose body has been read.
    @Sendable private static func failure(_ response: CallResponse, of call: Call) -> APIError? {
        Reply(response, of: call.plan)
            .failure(of: call.plan, request: response.request ?? call.plan.request)
            .map(APIError.status)
    }

    /// Chains the steps of a call around redirects, signing and the transport.
    func chain(of call: Call) -> CallStep.Next {
        let redirects = RedirectFollowing(
            next: exchange(of: call),
            call: call,
            keyName: call.settings[IdempotencyKey.self]?.name
        )
        // Nothing is noted for bodies that can be sent any number of times.
        let wasSent = call.plan.body?.isReplayable ?? true ? nil : Locked(false)
        var next: CallStep.Next = { (request) async throws(APIError) in
            let isAgain = wasSent?.withLock { wasSent in
                defer { wasSent = true }
                return wasSent
            }
            if isAgain ?? false, request.body?.isReplayable == false {
                throw call.at(attempt: request.attempt).transportFailure(
                    TransportError(.unsupportedRequest, "its body cannot be sent a second time")
                )
            }
            // A credential may have come when the call was over.
            guard !Task.isCancelled else { throw call.at(attempt: request.attempt).failure(CancellationError()) }
            return try await redirects.send(request)
        }
        for step in steps(of: call).reversed() {
            let inner = next
            next = { (request) async throws(APIError) in
                try await step.handle(request, of: call.at(attempt: request.attempt), next: inner)
            }
        }
        return next
    }

    /// Returns the exchange of one request over the transport, signed and observed if the call declares it.
    private func exchange(of call: Call) -> CallStep.Next {
        let transport = transport
        let send: CallStep.Next = { (request) async throws(APIError) in
            do throws(TransportError) {
                return try await call.at(attempt: request.attempt).transfer(request, over: transport)
            } catch {
                throw call.at(attempt: request.attempt).transportFailure(error, sent: request)
            }
        }
        guard let signing = SigningStep(call) else { return send }
        return { (request) async throws(APIError) in
            try await signing.handle(request, of: call.at(attempt: request.attempt), next: send)
        }
    }
}

extension Call {
    /// Whether the cache has no part in the call: a response whose body a step has read cannot be kept.
    fileprivate var bypassesCache: Bool {
        context.bodyUse.step != nil && plan.method.isSafe && settings[Cached.Policy.self]?.mode != .onlyIfCached
    }
}
