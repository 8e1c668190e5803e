import Waybill

/// The call of a server's closure, whose result the connection's thread waits for.
struct ClosureTask {
    /// The waker of the thread that waits.
    let waker: Waker

    private let outcome = Monitor<Result<StubResponse, any Error>?>(nil)
    private let task: Task<Void, Never>
    private let runJobs: () -> Void
    private let closeExecutor: () -> Void

    init(
        _ closure: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse,
        request: ReceivedRequest
    ) throws {
        let waker = try Waker()
        let outcome = outcome
        let call: @Sendable () async -> Void = {
            let result: Result<StubResponse, any Error>
            do { result = .success(try await closure(request)) } catch { result = .failure(error) }
            outcome.update { $0 = result }
            waker.wake()
        }
        self.waker = waker
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            let executor = ThreadExecutor(waker: waker)
            task = Task(executorPreference: executor) { await call() }
            runJobs = executor.runJobs
            closeExecutor = executor.close
        } else {
            task = Task { await call() }
            runJobs = {}
            closeExecutor = {}
        }
    }

    /// Runs what there is to run on this thread, and returns the result if the closure has ended.
    ///
    /// The waker is reset before, so that it is woken by what comes after.
    func advance() -> Result<StubResponse, any Error>? {
        waker.reset()
        runJobs()
        return outcome.current
    }

    /// Cancels the closure if it has not ended; what is left of it runs in the shared pool.
    func end() {
        task.cancel()
        closeExecutor()
    }
}
