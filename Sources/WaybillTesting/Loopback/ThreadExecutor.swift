import Waybill

/// An executor that runs a task's jobs on the thread that waits for the task.
///
/// A server's closures therefore need no thread from the shared pool, and the server responds promptly even when many
/// parallel tests occupy the pool.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ThreadExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var isOpen = true
    }

    private let state = Monitor(State())
    private let waker: Waker

    /// Creates an executor.
    ///
    /// - Parameter waker: the waker that signals the thread about new jobs.
    init(waker: Waker) { self.waker = waker }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAccepted = state.update { state in
            if state.isOpen { state.jobs.append(job) }
            return state.isOpen
        }
        if isAccepted { waker.wake() } else { globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs the pending jobs, and those that they enqueue, on the calling thread.
    func runJobs() {
        while true {
            let jobs = state.update { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Moves the remaining and all future jobs to the shared pool.
    func close() {
        let jobs = state.update { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { globalConcurrentExecutor.enqueue(job) }
    }
}

/// A task that runs a server's closure while the connection's thread waits for the result.
struct ClosureTask {
    /// The waker of the waiting thread.
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

    /// Runs the closure's pending jobs on this thread, and returns the result if the closure has ended.
    ///
    /// Resets the waker first, so later events wake the thread again.
    func advance() -> Result<StubResponse, any Error>? {
        waker.reset()
        runJobs()
        return outcome.current
    }

    /// Cancels the closure if it has not ended; any remaining work runs in the shared pool.
    func end() {
        task.cancel()
        closeExecutor()
    }
}
