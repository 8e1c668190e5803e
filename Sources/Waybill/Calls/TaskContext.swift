/// The state of the calls within which a task works, inherited by the tasks that it starts.
package struct TaskContext: Sendable {
    /// The state of the current task.
    @TaskLocal package static var current = TaskContext()

    /// The deadline of all calls; nil without one.
    package var deadline: Deadline?

    /// The number of the observed call for which the task works; nil outside of calls that are observed.
    package var observedCall: Int?

    /// The tokens that the task refreshes, for which any number of calls may wait.
    ///
    /// A task that refreshes one must wait for nothing that those calls hold: both would wait forever.
    package var refreshingTokens: [ObjectIdentifier] = []

    /// The permits of the limited call for which the task works; nil outside of limited calls.
    package var permits: (any AnyObject & Sendable)?

    /// Whether the task is within a call that a limit has admitted.
    package var isBehindLimit: Bool { permits != nil }

    /// Whether the task refreshes a token.
    package var isRefreshing: Bool { !refreshingTokens.isEmpty }

    /// Runs the work of a task in a changed state.
    ///
    /// - Throws: the error of the work, with its type, which `TaskLocal` itself does not keep.
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
