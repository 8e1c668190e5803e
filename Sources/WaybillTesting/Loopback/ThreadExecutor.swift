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
