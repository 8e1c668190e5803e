extension Client {
    /// Makes a call up to the head of its response, whose body is left to the caller.
    ///
    /// A deadline, limits and the events for observers last until the body has been read to its end.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - bodyStep: the step that reads the body within each attempt; nil to leave it to the caller.
    /// - Returns: the response; its body is empty if the step has read it.
    /// - Throws: ``APIError``; a failed status with its body and its declared problem.
    package func open(_ plan: Plan, bodyStep: (any CallStep)? = nil) async throws(APIError) -> OpenedResponse {
        let call = call(of: plan) { context in
            context.isStreamed = true
            context.bodyStep = bodyStep
        }
        // A transfer that has begun goes on with the progress of the call.
        let control = plan.control
        control?.begin()
        defer { control?.end() }
        call.report(.began)
        do throws(APIError) {
            guard let reporting = call.context.reporting else { return try await openedWithinDeadline(call) }
            return try await reporting.within { () async throws(APIError) in try await openedWithinDeadline(call) }
        } catch {
            await call.at(attempt: error.call.attempt).reportEnd(.failed(error))
            throw error
        }
    }

    private func openedWithinDeadline(_ call: Call) async throws(APIError) -> OpenedResponse {
        guard let deadline = call.context.deadline else { return try await opened(call) }
        return try await call.perform(by: deadline) { () async throws(APIError) in try await opened(call) }
    }

    private func opened(_ call: Call) async throws(APIError) -> OpenedResponse {
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let plan = call.plan
        var response = try await chain(of: call)(call.plan.request)
        if !plan.isSuccess(response.status) {
            try await call.at(attempt: response.attempt).readBody(of: &response)
            let reply = Reply(response, of: plan)
            if let failure = reply.failure(of: plan, request: response.request ?? plan.request) {
                throw .status(failure)
            }
        }
        return OpenedResponse(call: call.at(attempt: response.attempt), response: response)
    }
}

/// A response whose head has arrived, and whose body is still to be read.
package struct OpenedResponse: Sendable {
    /// The call at the attempt that got the response.
    package let call: Call

    /// The response.
    package let response: CallResponse
}
