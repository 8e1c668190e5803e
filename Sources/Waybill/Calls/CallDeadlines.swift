/// The deadlines of calls in progress on one clock, with a task that sleeps until the earliest one.
///
/// A task per deadline would take longer to start than an in-memory call takes, and the system would keep a 700-byte
/// timer for each until it fires. The shared task continues sleeping after a call, so the next call need not start one.
///
/// On a custom clock, such as one for tests, each deadline has a separate task that ends with the call, because the
/// clock may expose its sleepers.
package final class CallDeadlines: Sendable {
    private struct State: Sendable {
        var nextNumber = 0
        /// The deadlines' actions, keyed by number.
        var actions: [Int: @Sendable () -> Void] = [:]
        /// The deadlines' instants, including some of removed deadlines.
        var moments = DeadlineHeap()
        /// The shared task that sleeps until the earliest deadline.
        var sleeper: Sleeper?
        /// The tasks that sleep for a single deadline, keyed by number.
        var ownSleepers: [Int: Task<Void, Never>] = [:]
    }

    private struct Sleeper: Sendable {
        /// The number of the deadline that started the sleeper.
        let number: Int
        let moment: Duration
        let task: Task<Void, Never>
    }

    private let time: AnyClock
    private let sharesSleeper: Bool
    private let state = Locked(State())

    /// Creates an empty set of deadlines on a clock.
    ///
    /// - Parameters:
    ///   - time: the clock.
    ///   - sharesSleeper: whether a single task sleeps for all deadlines; nil to share one only on system clocks.
    package init(on time: AnyClock, sharesSleeper: Bool? = nil) {
        self.time = time
        self.sharesSleeper = sharesSleeper ?? time.isOfSystem
    }

    deinit {
        state.withLock { state in
            state.sleeper?.task.cancel()
            for task in state.ownSleepers.values { task.cancel() }
        }
    }

    /// Adds a deadline, in O(log n).
    ///
    /// - Parameters:
    ///   - moment: the deadline's instant, which may be in the past.
    ///   - action: a closure to call when the deadline passes, unless it is removed first.
    /// - Returns: the deadline's number, for `remove(_:)`.
    package func add(at moment: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            let number = state.nextNumber
            state.actions[number] = action
            if sharesSleeper {
                state.moments.insert(DeadlineHeap.Element(moment: moment, number: number))
                if state.sleeper.map({ moment < $0.moment }) ?? true {
                    state.sleeper?.task.cancel()
                    let task = sleep(until: moment) { $0.endPassed(sleeper: number) }
                    state.sleeper = Sleeper(number: number, moment: moment, task: task)
                }
            } else {
                state.ownSleepers[number] = sleep(until: moment) { $0.end(number) }
            }
            return number
        }
    }

    /// Removes a deadline, in O(1) on average.
    ///
    /// - Returns: true if the deadline had not yet passed.
    package func remove(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.actions.removeValue(forKey: number) != nil else { return false }
            state.ownSleepers.removeValue(forKey: number)?.cancel()
            // Removing an element from the middle of the heap requires a search. Removed deadlines therefore stay in
            // the heap until they make up more than half of it.
            if state.moments.count > 2 * state.actions.count + 64 {
                state.moments.removeAll { state.actions[$0] != nil }
            }
            return true
        }
    }

    /// Starts a task that sleeps until an instant, then until each instant returned by the closure.
    private func sleep(
        until moment: Duration,
        then wake: @escaping @Sendable (CallDeadlines) -> Duration?
    ) -> Task<Void, Never> {
        // Detached, because the task serves calls from all tasks and must not inherit the task-local values of one.
        Task.detached { [weak self, time] in
            var next: Duration? = moment
            while let moment = next {
                do { try await time.sleep(until: moment) } catch { return }
                guard let self else { return }
                next = wake(self)
            }
        }
    }

    /// Calls the action of a passed deadline.
    private func end(_ number: Int) -> Duration? {
        let action = state.withLock { state in
            state.ownSleepers[number] = nil
            return state.actions.removeValue(forKey: number)
        }
        action?()
        return nil
    }

    /// Calls the actions of all passed deadlines.
    ///
    /// - Returns: the next instant for this sleeper; nil to end it.
    private func endPassed(sleeper number: Int) -> Duration? {
        let now = time.now
        let (actions, next) = state.withLock { state -> ([@Sendable () -> Void], Duration?) in
            guard let sleeper = state.sleeper, sleeper.number == number else { return ([], nil) }
            var actions: [@Sendable () -> Void] = []
            while let first = state.moments.first, first.moment <= now || state.actions[first.number] == nil {
                if let action = state.actions.removeValue(forKey: first.number) { actions.append(action) }
                state.moments.removeFirst()
            }
            let next = state.moments.first?.moment
            state.sleeper = next.map { Sleeper(number: number, moment: $0, task: sleeper.task) }
            return (actions, next)
        }
        for action in actions { action() }
        return next
    }
}

/// A binary min-heap of deadlines.
struct DeadlineHeap: Sendable {
    struct Element: Sendable {
        let moment: Duration
        let number: Int
    }

    private var elements: [Element] = []

    var count: Int { elements.count }

    /// The earliest deadline; nil if the heap is empty.
    var first: Element? { elements.first }

    /// Adds a deadline, in O(log n).
    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child].moment < elements[parent].moment else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the earliest deadline, in O(log n).
    mutating func removeFirst() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        var parent = 0
        while true {
            var earliest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
                if elements[child].moment < elements[earliest].moment { earliest = child }
            }
            guard earliest != parent else { return }
            elements.swapAt(parent, earliest)
            parent = earliest
        }
    }

    /// Removes all unwanted deadlines, in O(n log n).
    mutating func removeAll(except isWanted: (Int) -> Bool) {
        // A sorted array is a heap.
        elements = elements.filter { isWanted($0.number) }.sorted { $0.moment < $1.moment }
    }
}
