extension Client {
    /// Performs a call and reads its value from the complete response.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - ignoresBody: whether the body is unneeded, so that a long one can be discarded.
    ///   - reading: a closure that reads the value.
    /// - Returns: the value.
    /// - Throws: ``APIError``.
    package func run<Value: Sendable>(
        _ plan: Call.Plan,
        ignoresBody: Bool = false,
        reading: (Reply) throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        try await run(plan, ignoresBody ? .ignored : .whole) { (response, _) throws(APIError) in
            try Self.value(of: response, to: plan, reading)
        }
    }

    /// Performs a call within its deadline, and reports its start and end to observers.
    ///
    /// Every call goes through this method. For observers, the call ends once its value has been read. If the body is
    /// left to the caller, the code that reads the body ends the call.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - bodyUse: the use of a successful response's body.
    ///   - reading: a closure that reads the value from the response; it also receives the call at its last attempt.
    ///     The closure is not subject to the deadline.
    /// - Returns: the value.
    /// - Throws: ``APIError``; an error for a failed status includes the body and the declared problem.
    package func run<Value: Sendable>(
        _ plan: Call.Plan,
        _ bodyUse: CallContext.BodyUse,
        reading: (CallResponse, Call) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        if !bodyUse.isWhole, let driver = plan.settings.driver { throw driver.rejectionOfStreaming(plan) }
        let call = call(of: plan, bodyUse)
        plan.control?.begin()
        defer { plan.control?.end() }
        call.report(.began)
        do throws(APIError) {
            let response = try await response(to: call)
            let attempt = call.at(attempt: response.attempt)
            let value = try await reading(response, attempt)
            if !bodyUse.isLeft { await attempt.reportEnd(.finished(response.status)) }
            return value
        } catch {
            await Self.call(call, failedBy: error).reportEnd(.failed(error))
            throw error
        }
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private static func call(_ call: Call, failedBy error: APIError) -> Call { call.at(attempt: error.call.attempt) }

    /// Creates the call for a plan, at its first attempt, with its deadline and observers.
    @inline(never)  // keeps frames small: see Architecture.md
    private func call(of plan: Call.Plan, _ bodyUse: CallContext.BodyUse) -> Call {
        let limit = plan.settings[Timeout.self]?.limit.map { Deadline($0, on: context.time) }
        let callContext = CallContext(
            client: context,
            deadline: Deadline.earlier(limit, TaskContext.current.deadline),
            reporting: Call.Reporting(plan, context.time),
            bodyUse: bodyUse,
            hasInterimResponses: transport is any InterimResponseTransport
        )
        return Call(plan: plan, context: callContext)
    }

    /// Returns the response within the deadline.
    ///
    /// Calls made by its steps are reported as children of this call.
    private func response(to call: Call) async throws(APIError) -> CallResponse {
        guard let reporting = call.context.reporting else { return try await limitedResponse(to: call) }
        return try await reporting.within { () async throws(APIError) in try await limitedResponse(to: call) }
    }

    private func limitedResponse(to call: Call) async throws(APIError) -> CallResponse {
        guard let deadline = call.context.deadline else { return try await successfulResponse(to: call) }
        return try await call.perform(by: deadline) { () async throws(APIError) in
            try await successfulResponse(to: call)
        }
    }

    /// Sends the request through the steps and checks the response status.
    private func successfulResponse(to call: Call) async throws(APIError) -> CallResponse {
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        var response = try await chain(of: call)(call.plan.request)
        try await call.at(attempt: response.attempt).readBody(of: &response)
        try Self.checkStatus(of: &response, to: call)
        return response
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private static func checkStatus(of response: inout CallResponse, to call: Call) throws(APIError) {
        if let failure = call.failure(of: &response) { throw .status(failure) }
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private static func value<Value>(
        of response: CallResponse,
        to plan: Call.Plan,
        _ reading: (Reply) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try reading(Reply(response, of: plan))
    }
}
