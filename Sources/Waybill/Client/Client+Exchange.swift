#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        guard let reporting = call.context.reporting else { return try reading(try await bounded(call)) }
        call.report(.began)
        do throws(APIError) {
            let reply = try await reporting.within { () async throws(APIError) in try await bounded(call) }
            let value = try reading(reply)
            await call.at(attempt: reply.attempt).reportEnd(.finished(reply.status))
            return value
        } catch {
            await call.at(attempt: error.call.attempt).reportEnd(.failed(error))
            throw error
        }
    }

    private func bounded(_ call: Call) async throws(APIError) -> Reply {
        guard let deadline = call.context.deadline else { return try await exchange(call) }
        return try await call.performWithCalls(by: deadline) { () async throws(APIError) in try await exchange(call) }
    }

    private func exchange(_ call: Call) async throws(APIError) -> Reply {
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let plan = call.plan
        let request = plan.request
        var response = try await chain(of: call)(request)
        try await call.at(attempt: response.attempt).readBody(of: &response)
        let reply = Reply(response, of: plan)
        if let failure = reply.failure(of: plan, request: response.request ?? request) { throw .status(failure) }
        return reply
    }
}
