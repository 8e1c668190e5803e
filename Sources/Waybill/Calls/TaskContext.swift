/// The state of the calls that a task works for.
///
/// The tasks that it starts inherit the state, except detached ones.
package struct TaskContext: Sendable {
    /// The state of the current task.
    @TaskLocal package static var current = TaskContext()

    /// The deadline of all calls in the task, if any.
    package var deadline: Deadline?

    /// The number of the observed call that the task works for, if any.
    package var observedCall: Int?

    /// The identities of the tokens that the task is refreshing, which other calls may be waiting for.
    ///
    /// The task must not wait for anything that those calls hold, which would be a deadlock.
    package var refreshingTokens: [ObjectIdentifier] = []

    /// The permits of the limited call that the task works for, if any.
    package var permits: (any AnyObject & Sendable)?

    /// Whether the task works for a call that a limit has admitted.
    package var isBehindLimit: Bool { permits != nil }

    /// Whether the task is refreshing a token.
    package var isRefreshing: Bool { !refreshingTokens.isEmpty }

    /// Runs work with a changed state.
    ///
    /// - Throws: the error of the work. Its type is preserved, unlike with `TaskLocal.withValue` alone.
    package static nonisolated(nonsending) func run<Value, Failure: Error>(
        changing change: (inout TaskContext) -> Void,
        _ work: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var context = current
        change(&context)
        let result: Result<Value, Failure> = await $current.withValue(context) {
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
