import WaybillSystem

/// A task shared by concurrent callers.
///
/// At most one task runs at a time. It is cancelled once all of its callers are cancelled.
actor SharedTask<Value: Sendable> {
    private var running: Task<Value, any Error>?
    private var isWhole = false

    /// A cancelled task that may still be running.
    private var abandoned: Task<Value, any Error>?
    private var waiting = 0

    /// Joins the running task, or starts one.
    ///
    /// - Parameters:
    ///   - whole: whether the whole list is needed. A running task for changes is awaited instead of joined.
    ///   - body: the work, which throws a ``StoreError``.
    /// - Returns: the result of the task.
    /// - Throws: the error of the task; ``StoreError/cancelled`` if it was cancelled.
    func run(whole: Bool, _ body: @escaping @Sendable () async throws -> Value) async throws(StoreError) -> Value {
        while whole, !isWhole, let part = running {
            _ = await part.result
            // The task's other callers may not have resumed yet.
            if running == part { running = nil }
            if Task.isCancelled { throw .cancelled }
        }
        if running == nil { (isWhole, waiting) = (whole, 0) }
        let task =
            running
            ?? Task { [abandoned] in
                _ = await abandoned?.result
                return try await body()
            }
        running = task
        abandoned = nil
        waiting += 1
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            Task { await self.withdraw(task) }
        }
        if running == task {
            waiting -= 1
            running = nil
        }
        switch result {
        case .success(let value): return value
        case .failure(let error as StoreError): throw error
        case .failure: throw .cancelled
        }
    }

    /// Cancels the running task.
    ///
    /// Later calls do not join it, but wait for its end.
    func abandon() {
        guard let running else { return }
        running.cancel()
        abandoned = running
        self.running = nil
    }

    private func withdraw(_ task: Task<Value, any Error>) {
        guard running == task else { return }
        waiting -= 1
        if waiting <= 0 { task.cancel() }
    }
}
