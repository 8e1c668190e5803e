extension Client {
    private enum Outcome: Sendable {
        case finished(Result<Reply, APIError>)
        case timeIsUp
        case timerCancelled
    }

    /// Runs the work against the client's clock; what has not finished when the time is up is cancelled and waited
    /// for, so that nothing outlives the call.
    func withTimeLimit(
        _ limit: Duration,
        plan: Plan,
        _ work: @escaping @Sendable () async throws(APIError) -> Reply
    ) async throws(APIError) -> Reply {
        let clock = clock
        let outcome = await withTaskGroup(of: Outcome.self, returning: Outcome.self) { group in
            group.addTask {
                do throws(APIError) {
                    return .finished(.success(try await work()))
                } catch {
                    return .finished(.failure(error))
                }
            }
            group.addTask {
                do {
                    try await clock.sleep(for: limit)
                    return .timeIsUp
                } catch {
                    return .timerCancelled
                }
            }
            defer { group.cancelAll() }
            // A cancelled timer decides nothing: the work says how it ended.
            while let outcome = await group.next() {
                if case .timerCancelled = outcome { continue }
                return outcome
            }
            return .timerCancelled
        }
        switch outcome {
        case .finished(let result): return try result.get()
        case .timeIsUp: throw .timeout(TimeoutFailure(call: plan.failedCall(), limit: limit))
        case .timerCancelled: throw .cancelled(CancelledFailure(call: plan.failedCall()))
        }
    }
}
