import WaybillSystem

/// Work that several callers wait for: one of it runs at a time, and the last caller to give up cancels it.
actor SharedTask<Value: Sendable> {
    private var running: Task<Value, any Error>?
    private var isWhole = false
    private var waiting = 0

    /// Joins the work that runs, or begins it.
    ///
    /// - Parameters:
    ///   - whole: whether the whole is wanted: work on a part of it is not joined, but awaited.
    ///   - body: the work, which throws a ``StoreError``.
    /// - Returns: its value.
    /// - Throws: its error.
    func run(whole: Bool, _ body: @escaping @Sendable () async throws -> Value) async throws(StoreError) -> Value {
        while whole, !isWhole, let part = running {
            _ = await part.result
            // Its own callers have not been here yet.
            if running == part { running = nil }
            if Task.isCancelled { throw .cancelled }
        }
        if running == nil { (isWhole, waiting) = (whole, 0) }
        let task = running ?? Task { try await body() }
        running = task
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

    private func giveUp(_ task: Task<Value, any Error>) {
        guard running == task else { return }
        waiting -= 1
        if waiting <= 0 { task.cancel() }
    }
}
