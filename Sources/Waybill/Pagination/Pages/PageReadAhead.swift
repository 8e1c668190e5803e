/// Fetches pages ahead of the current one: at most a number of them, one after the other, because each
/// leads to the next.
final class PageReadAhead<Element: Sendable> {
    /// The state that a fetch leaves for the next one.
    private struct Step: Sendable {
        let page: Result<Page<Element>?, APIError>
        let walk: PageWalk<Element>
    }

    private let count: Int
    private var tasks: [Task<Step, Never>] = []

    init(start: Cursor?, count: Int, rules: PageWalkRules, fetch: @escaping Pages<Element>.Fetch) {
        // Each page waits for the one before it: more tasks than this only wait in line.
        self.count = min(count, 64)
        let walk = PageWalk(start: start, rules: rules, fetch: fetch)
        tasks.append(Self.start(walk))
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    func next() async throws(APIError) -> Page<Element>? {
        fill()
        guard !tasks.isEmpty else { return nil }
        let task = tasks[0]
        let running = tasks
        let step = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            for task in running { task.cancel() }
        }
        tasks.removeFirst()
        guard case .success(.some) = step.page else {
            for task in tasks { task.cancel() }
            tasks = []
            return try step.page.get()
        }
        // A task at the end of the line keeps the walk for the ones to come.
        if tasks.isEmpty { tasks.append(Self.start(step.walk)) }
        fill()
        return try step.page.get()
    }

    private func fill() {
        while let last = tasks.last, tasks.count < count {
            tasks.append(Self.start(after: last))
        }
    }

    private static func start(_ walk: PageWalk<Element>) -> Task<Step, Never> {
        Task<Step, Never> { await step(walk) }
    }

    private static func start(after last: Task<Step, Never>) -> Task<Step, Never> {
        Task<Step, Never> {
            let previous = await last.value
            // After a failure, and after the end, there is nothing to fetch.
            guard case .success(.some) = previous.page else {
                return Step(page: .success(nil), walk: previous.walk)
            }
            return await step(previous.walk)
        }
    }

    private static func step(_ walk: PageWalk<Element>) async -> Step {
        var walk = walk
        do throws(APIError) {
            return Step(page: .success(try await walk.next()), walk: walk)
        } catch {
            return Step(page: .failure(error), walk: walk)
        }
    }
}
