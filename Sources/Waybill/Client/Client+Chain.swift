extension Client {
    /// Returns a call's chain of steps, ending with the transport.
    ///
    /// ``StepPosition`` defines their order. Steps inside the redirects handle every message, including redirected
    /// ones.
    func chain(of call: Call) -> CallStep.Next {
        var steps = steps(of: call)
        var next = transfer(of: call)
        while let step = steps.removeLast(inside: .redirects) { Self.wrap(&next, in: step, of: call) }
        next = redirecting(next, of: call)
        while let step = steps.removeLast() { Self.wrap(&next, in: step, of: call) }
        return next
    }

    /// Returns the steps of a call: those of its options, and those that every client adds.
    private func steps(of call: Call) -> CallSteps {
        var steps = CallSteps()
        call.settings.forEachOption { $0.addSteps(to: &steps, of: call) }
        steps.add(call.context.bodyUse.step, at: .body)
        for credential in call.plan.credentials { steps.add(CredentialStep(credential), at: .credential) }
        steps.add(SigningStep(call), at: .signature)
        return steps
    }

    /// Wraps a step around the next one.
    private static func wrap(_ next: inout CallStep.Next, in step: any CallStep, of call: Call) {
        let inner = next
        next = { (request) async throws(APIError) in
            try await step.handle(request, of: call.at(attempt: request.attempt), next: inner)
        }
    }

    /// Returns the function that sends a single message with the transport.
    private func transfer(of call: Call) -> CallStep.Next {
        let transport = transport
        let condition = call.settings[SendingCondition.self]
        return { (request) async throws(APIError) in
            if let condition, !condition.holds() { throw call.at(attempt: request.attempt).withheld }
            do throws(TransportError) {
                return try await call.at(attempt: request.attempt).transfer(request, over: transport)
            } catch {
                throw call.at(attempt: request.attempt).transportFailure(error, sent: request)
            }
        }
    }

    /// Returns the function that sends a request and follows redirects.
    private func redirecting(_ next: @escaping CallStep.Next, of call: Call) -> CallStep.Next {
        let redirects = RedirectFollowing(
            next: next,
            call: call,
            keyName: call.settings[IdempotencyKey.self]?.name
        )
        // Needed only for bodies that cannot be sent twice.
        let wasSent = call.plan.body?.isReplayable ?? true ? nil : Locked(false)
        return { (request) async throws(APIError) in
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
    }
}
