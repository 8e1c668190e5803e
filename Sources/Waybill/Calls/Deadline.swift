/// A deadline for calls, including their attempts, waits and nested calls.
package struct Deadline: Sendable {
    /// The original time limit, for error messages.
    package let limit: Duration

    /// The deadline's instant on its clock.
    private let end: Duration
    private let time: AnyClock

    /// Creates a deadline that passes after a duration from now.
    package init(_ limit: Duration, on time: AnyClock) {
        self.limit = limit
        self.time = time
        end = time.now + limit
    }

    /// Returns the remaining time, which is zero or negative once the deadline has passed.
    package func remaining() -> Duration { end - time.now }

    /// Converts the deadline to an instant on any clock.
    ///
    /// - Parameters:
    ///   - clock: the clock.
    ///   - remaining: the remaining time.
    /// - Returns: the instant on that clock.
    package func moment(on clock: AnyClock, remaining: Duration) -> Duration {
        clock === time ? end : clock.now + remaining
    }

    /// Returns the earlier of two deadlines.
    package static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return one.remaining() <= other.remaining() ? one : other
    }
}

extension Call {
    /// Limits the total time of all calls within an operation.
    ///
    /// ```swift
    /// let products = try await Call.withDeadline(in: .seconds(5)) {
    ///     let basket = try await shop.basket.read()
    ///     return try await shop.products.with { Query("id", basket.products) }.list()
    /// }
    /// ```
    ///
    /// A call in progress at the deadline fails with an ``APIError/TimeoutFailure``. Later calls fail immediately
    /// without sending anything. If other limits apply to a call, such as an outer deadline or a ``Timeout``, the
    /// earliest one takes effect. Tasks started by `operation` inherit the deadline, unless they are detached. Other
    /// work in `operation` is not interrupted.
    ///
    /// - Parameters:
    ///   - limit: the total time for all calls. If it is zero or less, nothing is sent.
    ///   - clock: the clock that measures the time.
    ///   - operation: the function that makes the calls.
    /// - Returns: the value returned by `operation`.
    /// - Throws: the error thrown by `operation`.
    public static nonisolated(nonsending) func withDeadline<Value, Failure: Error>(
        in limit: Duration,
        clock: some Clock<Duration> = ContinuousClock(),
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let deadline = Deadline.earlier(TaskContext.current.deadline, Deadline(limit, on: AnyClock(clock)))
        return try await TaskContext.run(changing: { $0.deadline = deadline }, operation)
    }
}

/// A deadline timer for a body read in many pieces.
///
/// All reads share one registered deadline.
package final class DeadlineTimer: Sendable {
    private struct State: Sendable {
        /// The number of the registered deadline; nil before the first read and after the timer has stopped.
        var number: Int?
        var isStarted = false
        var isTimeUp = false
        /// Cancels the current read.
        var cancel: (@Sendable () -> Void)?
    }

    private let deadline: Deadline
    private let call: Call
    private let state = Locked(State())

    /// Creates a timer for a call.
    ///
    /// The first read starts it.
    package init(_ deadline: Deadline, of call: Call) {
        self.deadline = deadline
        self.call = call
    }

    deinit { stop() }

    /// Stops the timer after the last read.
    package func stop() {
        guard let number = state.withLock({ $0.number.take() }) else { return }
        _ = call.context.deadlines.remove(number)
    }

    /// Performs a read and waits for it to end, cancelling it at the deadline.
    ///
    /// - Throws: ``APIError/timeout(_:)`` after the deadline; otherwise, the error of the work.
    package func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        // The task below starts its work before it can be cancelled.
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(call.plan.failedCall()) }
        start(remaining)
        // A separate task can be cancelled without cancelling the caller's task.
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
        // Only the work's error contains the call's progress.
        if case .failure(let error) = result { throw timeout(error.call) }
        throw timeout(call.plan.failedCall())
    }

    private func start(_ remaining: Duration) {
        // Reads are sequential, so the timer cannot be started twice.
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

/// Tasks that start on the current thread.
package enum ImmediateTask {
    /// Starts a task that runs on the caller's thread until it first suspends.
    ///
    /// This saves a thread switch if the work does not suspend, or soon waits for a transport. On systems before macOS
    /// 26 and iOS 26, the task starts normally.
    package static func start<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return .immediate(operation: work)
        }
        return Task(operation: work)
    }
}
