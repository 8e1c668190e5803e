extension Client {
    /// Makes a call, and reads its value from the reply: the response with its whole body.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - ignoresBody: whether the value is independent of the body; a long body is then discarded.
    ///   - reading: reads the value.
    /// - Returns: the value.
    /// - Throws: ``APIError``.
    package func run<Value: Sendable>(
        _ plan: Plan,
        ignoresBody: Bool = false,
        reading: (Reply) throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        try await run(plan, ignoresBody ? .ignored : .whole) { (response, _) throws(APIError) in
            try Self.value(of: response, to: plan, reading)
        }
    }

    /// Makes a call: the only place at which one begins, is limited in its time, reported and ended.
    ///
    /// For observers it has ended when its value has been read. If its body is left to the caller, what reads the body
    /// ends it.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - bodyUse: the use of the body of a successful response.
    ///   - reading: reads the value from the response, by the call at its last attempt. The deadline does not limit it.
    /// - Returns: the value.
    /// - Throws: ``APIError``; a failed status with its body and its declared problem.
    package func run<Value: Sendable>(
        _ plan: Plan,
        _ bodyUse: CallContext.BodyUse,
        reading: (CallResponse, Call) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        if !bodyUse.isWhole, let clause = plan.settings[LongRunning.self] { throw Self.rejection(of: clause, plan) }
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

    /// Returns the error of a streamed call with an operation, whose first response is not its result.
    @inline(never)
    private static func rejection(of clause: LongRunning, _ plan: Plan) -> APIError {
        .request(
            APIError.RequestFailure(
                plan.failedCall(),
                clause: "LongRunning",
                value: clause.summary,
                because: "its result cannot be streamed or downloaded by the same call; send() waits for the "
                    + "operation, and the endpoint of its result is downloaded then"
            )
        )
    }

    // Not inlined: its values need no room for as long as the call waits.
    @inline(never)
    private static func call(_ call: Call, failedBy error: APIError) -> Call { call.at(attempt: error.call.attempt) }

    /// Creates the call of a plan, at its first attempt, with its deadline and its observers.
    // Not inlined, like the other functions here that do not wait: an asynchronous function keeps room for all of its
    // values while it waits, and 10,000 waiting calls would keep the room of these.
    @inline(never)
    private func call(of plan: Plan, _ bodyUse: CallContext.BodyUse) -> Call {
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

    /// Returns the response to a call by its deadline, as a child of the call for observers.
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

    /// Sends the request through the steps, and checks the status of the response.
    private func successfulResponse(to call: Call) async throws(APIError) -> CallResponse {
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        var response = try await chain(of: call)(call.plan.request)
        try await call.at(attempt: response.attempt).readBody(of: &response)
        try Self.checkStatus(of: response, to: call.plan)
        return response
    }

    @inline(never)
    private static func checkStatus(of response: CallResponse, to plan: Plan) throws(APIError) {
        // A success fails only by a declared problem in a body that has been read.
        if plan.isSuccess(response.status),
            !response.isRead || !(plan.settings[ProblemRules.self]?.mayApply(to: response.status) ?? false)
        {
            return
        }
        let request = response.request ?? plan.request
        if let failure = Reply(response, of: plan).failure(of: plan, request: request) { throw .status(failure) }
    }

    @inline(never)
    private static func value<Value>(
        of response: CallResponse,
        to plan: Plan,
        _ reading: (Reply) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try reading(Reply(response, of: plan))
    }
}
