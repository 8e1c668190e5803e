extension Client {
    /// What a request passes on its way, the outermost step first; a step is there only where it is declared.
    private func steps(of call: Call) -> [any Middleware] {
        var steps = call.settings[MiddlewareChain.self]?.middlewares ?? []
        if let cache = CacheStep.step(of: call) { steps.append(cache) }
        if let coalescing = CoalescingStep(of: call) { steps.append(coalescing) }
        if let credential = call.plan.credential { steps.append(CredentialStep(credential)) }
        return steps
    }

    /// The steps of a call around redirects around the transport.
    func chain(of call: Call) -> Middleware.Next {
        let redirects = RedirectFollowing(transport: transport, plan: call.plan)
        // Nothing is counted for bodies that can be sent any number of times.
        let sends = call.plan.body?.isReplayable ?? true ? nil : Counter()
        var next: Middleware.Next = { (request) async throws(APIError) in
            let call = call.at(attempt: request.attempt)
            if let sends, sends.next() > 1, request.body?.isReplayable == false {
                throw call.transportFailure(
                    TransportError(.unsupportedRequest, "its body cannot be sent a second time")
                )
            }
            do throws(TransportError) {
                call.report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length))
                var response = try await redirects.send(request)
                call.report(.head(response.status))
                response.request = request
                response.attempt = request.attempt
                return response
            } catch {
                throw call.transportFailure(error)
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
