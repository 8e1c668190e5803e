extension Call {
    /// Returns what a transport gets to know of the transfer of a request.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    package func options(of request: CallRequest, _ report: TransferReport) -> TransferOptions {
        var options = TransferOptions()
        options.template = plan.template
        options.control = plan.control
        options.attempt = request.attempt
        options.uploadPart = request.uploadPart
        options.report = report
        options.secrets = { request.secrets.collected }
        if let timeout = plan.settings[Timeout.self] {
            options.timeLimit = timeout.limit.map { .duration($0) } ?? TransferOptions.TimeLimit.none
        }
        return options
    }

    /// Does the work of the call until a deadline, which also holds for the calls within it, such as one for a token.
    ///
    /// The deadline cancels work that has not finished. The call waits for the end of that work, which never outlives
    /// the call.
    package func perform<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        // The work begins before the cancellation of the caller's task can reach it.
        guard !Task.isCancelled else { throw failure(CancellationError()) }
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(deadline.limit) }
        // Computed before the work begins, because the work may take time before it first waits.
        let moment = deadline.moment(on: context.time, remaining: remaining)
        // A task of its own can be cancelled, and leaves the caller's as it is.
        let task = ImmediateTask.start { () -> Result<Value, APIError> in
            do throws(APIError) {
                return .success(try await TaskContext.run(changing: { $0.deadline = deadline }, work))
            } catch {
                return .failure(error)
            }
        }
        let number = context.deadlines.add(at: moment) { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !context.deadlines.remove(number) else { return try result.get() }
        // Only its error has the progress of the call.
        throw timeout(deadline.limit, progress: { if case .failure(let error) = result { error.call } else { nil } })
    }

    // Not inlined: its values need no room for as long as the call waits.
    @inline(never)
    private func timeout(_ limit: Duration, progress: () -> APIError.FailedCall? = { nil }) -> APIError {
        .timeout(APIError.TimeoutFailure(call: progress() ?? plan.failedCall(), limit: limit))
    }
}
