import WaybillSystem

/// Work that several callers wait for: one of it runs at a time, and the last caller to give up cancels it.
actor SharedTask<Value: Sendable> {
    private var running: Task<Value, any Error>?
    private var isWhole = false

    /// Work that was abandoned, and ends by itself.
    private var abandoned: Task<Value, any Error>?
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

    /// Cancels the work that runs; a call that comes later does not join it, and begins after its end.
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
