/// The deadline of a body that is read in many pieces: one entry in the queue for all of its reads, which follow each
/// other.
package final class DeadlineTimer: Sendable {
    private struct State: Sendable {
        /// The number of the deadline in the queue, from the first read on.
        var number: Int?
        var isStarted = false
        var isTimeUp = false
        /// Cancels the read that is under way.
        var cancel: (@Sendable () -> Void)?
    }

    private let deadline: Deadline
    private let call: Call
    private let state = Locked(State())

    /// Creates the timer of a call, which starts with the first read.
    package init(_ deadline: Deadline, of call: Call) {
        self.deadline = deadline
        self.call = call
    }

    deinit { stop() }

    /// Stops the timer: there are no further reads.
    package func stop() {
        guard let number = state.withLock({ $0.number.take() }) else { return }
        _ = call.context.deadlines.remove(number)
    }

    /// Does the work of a read; what has not finished by the deadline is cancelled and waited for.
    ///
    /// - Throws: ``APIError/timeout(_:)`` after the deadline, otherwise the error of the work.
    package func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        // The work begins before the cancellation of the caller's task can reach it.
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(call.plan.failedCall()) }
        start(remaining)
        // A task of its own can be cancelled, and leaves the caller's as it is.
        let task = ImmediateTask.start { () -> Result<Value, APIError> in
            do throws(APIError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        let isLate = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isTimeUp
        }
        if isLate { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        let isTimeUp = state.withLock { state in
            state.cancel = nil
            return state.isTimeUp
        }
        guard isTimeUp else { return try result.get() }
        // Only its error has the progress of the call.
        if case .failure(let error) = result { throw timeout(error.call) }
        throw timeout(call.plan.failedCall())
    }

    private func start(_ remaining: Duration) {
        // One task at a time reads, so the timer is not started twice.
        guard !state.withLock({ $0.isStarted }) else { return }
        let moment = deadline.moment(on: call.context.time, remaining: remaining)
        let number = call.context.deadlines.add(at: moment) { [weak self] in self?.end() }
        state.withLock { ($0.isStarted, $0.number) = (true, number) }
    }

    private func end() {
        let cancel = state.withLock { state in
            state.isTimeUp = true
            return state.cancel
        }
        cancel?()
    }

    private func timeout(_ failed: APIError.FailedCall) -> APIError {
        .timeout(APIError.TimeoutFailure(call: failed, limit: deadline.limit))
    }
}
