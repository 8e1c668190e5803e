extension Client {
    /// Wraps the declared steps of a call around the next step, innermost first.
    private func addSteps(of call: Call, to next: inout CallStep.Next) {
        let settings = call.settings
        for credential in call.plan.credentials.reversed() { Self.add(CredentialStep(credential), of: call, to: &next) }
        if let breaker = settings[CircuitBreaker.self] { Self.add(CircuitBreakerStep(breaker), of: call, to: &next) }
        if let rules = settings[LimitRules.self] { Self.add(LimitStep(rules), of: call, to: &next) }
        for element in settings[AttemptMiddlewareChain.self]?.elements.reversed() ?? [] {
            Self.add(MiddlewareStep(middleware: element.middleware), of: call, to: &next)
        }
        Self.add(UploadStep(call), of: call, to: &next)
        Self.add(call.context.bodyUse.step, of: call, to: &next)
        Self.add(ConnectivityStep(call), of: call, to: &next)
        if let rules = settings[Retry.self]?.rules {
            let step = RetryStep(rules, budget: RetryBudgets.share(of: call), failure: Self.failure)
            Self.add(step, of: call, to: &next)
        }
        Self.add(CoalescingStep(of: call), of: call, to: &next)
        if !call.bypassesCache { Self.add(CacheStep.step(of: call), of: call, to: &next) }
        for middleware in settings[MiddlewareChain.self]?.elements.reversed() ?? [] {
            Self.add(MiddlewareStep(middleware: middleware), of: call, to: &next)
        }
    }

    /// Wraps a step, if there is one, around the next step.
    private static func add(_ step: (any CallStep)?, of call: Call, to next: inout CallStep.Next) {
        guard let step else { return }
        let inner = next
        next = { (request) async throws(APIError) in
            try await step.handle(request, of: call.at(attempt: request.attempt), next: inner)
        }
    }

    /// Returns the error for a response whose body has been read; nil if the response is a success.
    @Sendable private static func failure(_ response: CallResponse, of call: Call) -> APIError? {
        Reply(response, of: call.plan)
            .failure(of: call.plan, request: response.request ?? call.plan.request)
            .map(APIError.status)
    }

    /// Returns the chain of a call's steps, which ends with redirects, signing and the transport.
    func chain(of call: Call) -> CallStep.Next {
        let redirects = RedirectFollowing(
            next: exchange(of: call),
            call: call,
            keyName: call.settings[IdempotencyKey.self]?.name
        )
        // Only needed for bodies that cannot be sent twice.
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
            // The call may have been cancelled while it waited for a credential.
            guard !Task.isCancelled else { throw call.at(attempt: request.attempt).failure(CancellationError()) }
            return try await redirects.send(request)
        }
        addSteps(of: call, to: &next)
        return next
    }

    /// Returns the function that exchanges one request for its response, adding cookies and compressing the body as
    /// declared.
    private func exchange(of call: Call) -> CallStep.Next {
        var next = signedExchange(of: call)
        Self.add(CompressionStep(call), of: call, to: &next)
        Self.add(CookieStep(call, from: url), of: call, to: &next)
        return next
    }

    /// Returns the function that signs one request as declared and sends it with the transport.
    private func signedExchange(of call: Call) -> CallStep.Next {
        let transport = transport
        let condition = call.settings[SendingCondition.self]
        let send: CallStep.Next = { (request) async throws(APIError) in
            if let condition, !condition.holds() { throw call.at(attempt: request.attempt).withheld }
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
    /// Whether the call bypasses the cache: a response whose body is read by a step cannot be stored.
    fileprivate var bypassesCache: Bool {
        context.bodyUse.step != nil && plan.method.isSafe && settings[Cached.Policy.self]?.mode != .onlyIfCached
    }
}
