extension Client {
    private enum Outcome: Sendable {
        case finished(Result<Reply, APIError>)
        case timeIsUp
        case timerCancelled
    }

    /// Runs the work until a deadline; what has not finished by then is cancelled and waited for, so that nothing
    /// outlives the call.
    func withDeadline(
        _ deadline: Deadline,
        of call: Call,
        _ work: @escaping @Sendable () async throws(APIError) -> Reply
    ) async throws(APIError) -> Reply {
        let remaining = deadline.remaining()
        guard remaining > .zero else {
            throw .timeout(TimeoutFailure(call: call.plan.failedCall(), limit: deadline.limit))
        }
        let time = call.context.time
        let (result, isTimeUp) = await withTaskGroup(of: Outcome.self) { group in
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
            // A timer that was cancelled decides nothing: the work says how it ended.
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
        // Only its error knows how far the call had come.
        if isTimeUp {
            let error = if case .failure(let error)? = result { error.call } else { call.plan.failedCall() }
            throw .timeout(TimeoutFailure(call: error, limit: deadline.limit))
        }
        guard let result else { throw call.failure(CancellationError()) }
        return try result.get()
    }
}
