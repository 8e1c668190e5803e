/// A deadline of calls: of each attempt, each wait and each call within a call.
package struct Deadline: Sendable {
    /// The time that was allowed, for messages.
    package let limit: Duration

    /// The moment on its clock.
    private let end: Duration
    private let time: AnyClock

    /// Creates a deadline after a time from now on.
    package init(_ limit: Duration, on time: AnyClock) {
        self.limit = limit
        self.time = time
        end = time.now + limit
    }

    /// Returns the time that is left; not positive when the moment has come.
    package func remaining() -> Duration { end - time.now }

    /// Converts the deadline to a clock, which may be another one.
    ///
    /// - Parameters:
    ///   - clock: the clock.
    ///   - remaining: the time that is left.
    /// - Returns: the moment on that clock.
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
    /// Limits the time of all calls within an operation: no call that is made in `operation` goes on after it.
    ///
    /// ```swift
    /// let products = try await Call.withDeadline(in: .seconds(5)) {
    ///     let basket = try await shop.basket.read()
    ///     return try await shop.products.with { Query("id", basket.products) }.list()
    /// }
    /// ```
    ///
    /// A call that is not over by then fails with an ``APIError/TimeoutFailure``; one that is made later fails at once,
    /// and nothing is sent. Of several deadlines, and a ``Timeout``, the earliest counts. Tasks that `operation` starts
    /// inherit it, detached ones do not. Waybill interrupts nothing else that `operation` does.
    ///
    /// - Parameters:
    ///   - limit: the time for all calls together; if it is not positive, no call is made.
    ///   - clock: the clock that measures the time.
    ///   - operation: the function that makes the calls.
    /// - Returns: the value of `operation`.
    /// - Throws: the error of `operation`.
    public static nonisolated(nonsending) func withDeadline<Value, Failure: Error>(
        in limit: Duration,
        clock: some Clock<Duration> = ContinuousClock(),
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let deadline = Deadline.earlier(TaskContext.current.deadline, Deadline(limit, on: AnyClock(clock)))
        return try await TaskContext.run(changing: { $0.deadline = deadline }, operation)
    }
}

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

/// Tasks that begin on the thread of their creator.
package enum ImmediateTask {
    /// Starts a task that works at once, on the caller's thread, until it has to wait.
    ///
    /// Work that need not wait, or that waits for a transport, then needs no other thread to begin. Systems before
    /// those of 2025 start it like any other task.
    package static func start<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return .immediate(operation: work)
        }
        return Task(operation: work)
    }
}
