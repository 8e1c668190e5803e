/// A moment by which calls have to be over: each attempt, each wait and each call within a call.
package struct Deadline: Sendable {
    /// The one that holds for what a task does; nil where none does.
    @TaskLocal package static var current: Deadline?

    /// The time that was allowed, for messages.
    package let limit: Duration

    /// The time that is left; not positive when the moment has come.
    package let remaining: @Sendable () -> Duration

    /// So long from now on.
    package init(_ limit: Duration, on time: Timeline) {
        self.limit = limit
        let end = time.now + limit
        remaining = { end - time.now }
    }

    /// The one of two that comes first.
    package static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return one.remaining() <= other.remaining() ? one : other
    }
}

/// Bounds everything that calls within it take: no call that is made in `operation` goes on when the time is up.
///
/// ```swift
/// let basket = try await withDeadline(.seconds(5)) {
///     let basket = try await shop.basket.read()
///     return try await shop.products.read(each: basket.products)
/// }
/// ```
///
/// A call that is not over by then fails with a ``TimeoutFailure``; one that is made later fails at once, and nothing is
/// sent. Where several deadlines hold, and a ``Timeout``, the nearest one counts. Tasks that `operation` starts inherit it, detached ones
/// do not. What else `operation` does is not interrupted.
///
/// - Parameters:
///   - limit: the time for all of them; where it is not positive, no call is made.
///   - clock: what it is measured with.
///   - operation: what makes the calls.
/// - Throws: what `operation` throws.
public nonisolated(nonsending) func withDeadline<Value, Failure: Error>(
    _ limit: Duration,
    clock: some Clock<Duration> = ContinuousClock(),
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let deadline = Deadline.earlier(Deadline.current, Deadline(limit, on: Timeline(clock)))
    let result: Result<Value, Failure> = await Deadline.$current.withValue(deadline) {
        do throws(Failure) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}
