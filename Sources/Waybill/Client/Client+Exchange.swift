import WaybillSystem

extension Client {
    /// Makes a call: from a plan to the value of the reply, or to the failure that its status means.
    ///
    /// For its observers the call is over when it has been read.
    package func exchange<Value: Sendable>(
        _ plan: Plan,
        reading: (Reply) throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let call = call(of: plan)
        let control = plan.control
        control?.begin()
        defer { control?.end() }
        guard let reporting = call.context.reporting else {
            return try value(of: try await bounded(call), to: plan, reading)
        }
        return try await exchange(call, reporting, reading: reading)
    }

    /// Makes a call and reports it.
    @inline(never)
    private func exchange<Value: Sendable>(
        _ call: Call,
        _ reporting: Call.Reporting,
        reading: (Reply) throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        call.report(.began)
        do throws(APIError) {
            let response = try await reporting.within { () async throws(APIError) in try await bounded(call) }
            let value = try value(of: response, to: call.plan, reading)
            await call.at(attempt: response.attempt).reportEnd(.finished(response.status))
            return value
        } catch {
            await call.at(attempt: error.call.attempt).reportEnd(.failed(error))
            throw error
        }
    }

    // An asynchronous function keeps room for all of its values while it waits. Functions that do not wait are not
    // inlined into it, so that 10,000 waiting calls do not keep the room for their values.
    @inline(never)
    private func value<Value>(
        of response: CallResponse,
        to plan: Plan,
        _ reading: (Reply) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try reading(Reply(response, of: plan))
    }

    private func bounded(_ call: Call) async throws(APIError) -> CallResponse {
        guard let deadline = call.context.deadline else { return try await exchange(call) }
        return try await call.perform(by: deadline) { () async throws(APIError) in try await exchange(call) }
    }

    private func exchange(_ call: Call) async throws(APIError) -> CallResponse {
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let plan = call.plan
        var response = try await chain(of: call)(call.plan.request)
        try await call.at(attempt: response.attempt).readBody(of: &response)
        try checkStatus(of: response, to: plan)
        return response
    }

    @inline(never)
    private func checkStatus(of response: CallResponse, to plan: Plan) throws(APIError) {
        // A call without a declared problem fails by its status alone.
        guard !plan.isSuccess(response.status) || plan.settings[ProblemRules.self] != nil else { return }
        let request = response.request ?? plan.request
        if let failure = Reply(response, of: plan).failure(of: plan, request: request) { throw .status(failure) }
    }
}
