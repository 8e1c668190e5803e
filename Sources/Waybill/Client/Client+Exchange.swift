import Foundation

extension Client {
    /// Makes a call: plan in, and out what is read from the reply, or the failure that its status says it is.
    ///
    /// For its observers the call is over when it has been read.
    package func exchange<Value: Sendable>(
        _ plan: Plan,
        reading: (Reply) throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        var context = context
        let limit = plan.settings[Timeout.self]?.limit.map { Deadline($0, on: context.time) }
        context.deadline = Deadline.earlier(limit, .current)
        context.reporting = Call.Reporting(plan, context.time)
        let call = Call(plan: plan, context: context)
        guard let reporting = context.reporting else { return try reading(try await bounded(call)) }
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
        return try await withDeadline(deadline, of: call) { () async throws(APIError) in
            // A call within this one, for a token perhaps, is part of it.
            let result: Result<Reply, APIError> = await Deadline.$current.withValue(deadline) {
                do throws(APIError) {
                    return .success(try await exchange(call))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
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
