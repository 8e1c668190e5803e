import WaybillSystem

/// A task shared by several callers.
///
/// Only one runs at a time, and the last caller to give up cancels it.
actor SharedTask<Value: Sendable> {
    private var running: Task<Value, any Error>?
    private var isWhole = false

    /// An abandoned task, which ends on its own.
    private var abandoned: Task<Value, any Error>?
    private var waiting = 0

    /// Joins the running task, or starts one.
    ///
    /// - Parameters:
    ///   - whole: whether the whole result is needed. A running task for a partial result is awaited instead of joined.
    ///   - body: the work, which throws a ``StoreError``.
    /// - Returns: the result of the task.
    /// - Throws: the error of the task; ``StoreError/cancelled`` if it was cancelled.
    func run(whole: Bool, _ body: @escaping @Sendable () async throws -> Value) async throws(StoreError) -> Value {
        while whole, !isWhole, let part = running {
            _ = await part.result
            // The callers that joined the task may not have resumed yet.
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
            Task { await self.giveUp(task) }
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
    /// Later calls do not join it, and start after it ends.
    func abandon() {
        guard let running else { return }
        running.cancel()
        abandoned = running
        self.running = nil
    }

    private func giveUp(_ task: Task<Value, any Error>) {
        guard running == task else { return }
        waiting -= 1
        if waiting <= 0 { task.cancel() }
    }
}
