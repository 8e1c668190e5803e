extension Call {
    private enum Outcome<Value: Sendable>: Sendable {
        case finished(Result<Value, APIError>)
        case timeIsUp
        case timerCancelled
    }

    /// Does the work of the call until a deadline, which also holds for the calls within it, such as one for a token.
    package func performWithCalls<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        try await perform(by: deadline) { () async throws(APIError) in
            try await TaskContext.run(changing: { $0.deadline = deadline }, work)
        }
    }

    /// Does the work of the call until a deadline; what has not finished by then is cancelled and waited for, so that
    /// nothing outlives the call.
    package func perform<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let remaining = deadline.remaining()
        guard remaining > .zero else {
            throw .timeout(APIError.TimeoutFailure(call: plan.failedCall(), limit: deadline.limit))
        }
        let time = context.time
        let (result, isTimeUp) = await withTaskGroup(of: Outcome<Value>.self) { group in
            group.addTask {
                do throws(APIError) {
                    return .finished(.success(try await work()))
                } catch {
                    return .finished(.failure(error))
                }
            }
            group.addTask {
                do {
                    try await time.sleep(for: remaining)
                    return .timeIsUp
                } catch {
                    return .timerCancelled
                }
            }
            // A timer that was cancelled decides nothing: the result of the work counts.
            var isTimeUp = false
            while let outcome = await group.next() {
                switch outcome {
                case .finished(let result):
                    group.cancelAll()
                    return (Optional(result), isTimeUp)
                case .timeIsUp:
                    isTimeUp = true
                    group.cancelAll()
                case .timerCancelled: continue
                }
            }
            return (nil, isTimeUp)
        }
        // Only its error has the progress of the call.
        if isTimeUp {
            let error = if case .failure(let error)? = result { error.call } else { plan.failedCall() }
            throw .timeout(APIError.TimeoutFailure(call: error, limit: deadline.limit))
        }
        guard let result else { throw failure(CancellationError()) }
        return try result.get()
    }
}
