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
