import Waybill

/// An executor that runs the jobs of a task on the thread that waits for the task.
///
/// A server's closures do not wait for a thread of the shared pool then: a process that fills the pool with many
/// parallel tests is served at once.
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
    /// - Parameter waker: the waker that wakes the thread for a job.
    init(waker: Waker) { self.waker = waker }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAccepted = state.update { state in
            if state.isOpen { state.jobs.append(job) }
            return state.isOpen
        }
        if isAccepted { waker.wake() } else { globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs the jobs that are there, and those that they enqueue, on the thread that calls.
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

    /// Hands the jobs that are left, and all later ones, to the shared pool.
    func close() {
        let jobs = state.update { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { globalConcurrentExecutor.enqueue(job) }
    }
}

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
