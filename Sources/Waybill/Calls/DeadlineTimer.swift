/// The deadline of a body that is read in many pieces: one timer for all of its reads, which follow each other.
///
/// A timer for each read would cost more time than a small read, and the system keeps each of them, with 700 bytes,
/// until the deadline.
package final class DeadlineTimer: Sendable {
    private struct State: Sendable {
        var timer: Task<Void, Never>?
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
    package func stop() { state.withLock { $0.timer.take() }?.cancel() }

    /// Does the work of a read; what has not finished by the deadline is cancelled and waited for.
    ///
    /// - Throws: ``APIError/timeout(_:)`` after the deadline, otherwise the error of the work.
    package func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(call.plan.failedCall()) }
        start(remaining)
        // A task of its own can be cancelled, and leaves the caller's as it is.
        let task = Task { () -> Result<Value, APIError> in
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
        state.withLock { state in
            guard state.timer == nil else { return }
            state.timer = Task { [weak self, time = call.context.time] in
                do { try await time.sleep(for: remaining) } catch { return }
                self?.end()
            }
        }
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
