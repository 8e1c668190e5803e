/// The state of the calls on whose behalf a task runs.
///
/// Child tasks and unstructured tasks inherit it; detached tasks do not.
package struct TaskContext: Sendable {
    /// The state of the current task.
    @TaskLocal package static var current = TaskContext()

    /// The deadline of all calls in the task, if any.
    package var deadline: Deadline?

    /// The number of the observed call on whose behalf the task runs, if any.
    package var observedCall: Int?

    /// The identities of the tokens that the task is refreshing.
    ///
    /// Other calls may be waiting for them.
    ///
    /// To avoid a deadlock, the task must not wait for anything held by those calls.
    package var refreshingTokens: [ObjectIdentifier] = []

    /// The permits of the limited call on whose behalf the task runs, if any.
    package var permits: (any AnyObject & Sendable)?

    /// Whether the task runs on behalf of a call admitted by a limit.
    package var isBehindLimit: Bool { permits != nil }

    /// Whether the task is refreshing a token.
    package var isRefreshing: Bool { !refreshingTokens.isEmpty }

    /// Runs work with modified state.
    ///
    /// - Throws: the work's error, preserving its type, unlike `TaskLocal.withValue` alone.
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
