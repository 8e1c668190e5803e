/// The deadlines of calls on one clock, and the one task that sleeps until the earliest of them.
///
/// A task for each deadline would cost more time than a call in memory, and the system keeps the timer of each, with
/// 700 bytes, until its moment comes.
package final class DeadlineQueue: Sendable {
    private struct State: Sendable {
        var nextNumber = 0
        /// The actions for the deadlines that pass, by their numbers.
        var actions: [Int: @Sendable () -> Void] = [:]
        /// Their moments, and those of some that were removed.
        var moments = DeadlineHeap()
        var sleeper: Sleeper?
        var sleeperCount = 0
    }

    private struct Sleeper: Sendable {
        let number: Int
        let moment: Duration
        let task: Task<Void, Never>
    }

    private let time: AnyClock
    private let state = Locked(State())

    /// Creates an empty queue.
    package init(on time: AnyClock) { self.time = time }

    deinit { state.withLock { $0.sleeper.take() }?.task.cancel() }

    /// Adds a deadline, in O(log n).
    ///
    /// - Parameters:
    ///   - remaining: the time from now to the deadline.
    ///   - action: the closure that is called when the deadline has passed, unless it was removed before.
    /// - Returns: the number of the deadline, with which to remove it.
    package func add(after remaining: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        let moment = time.now + remaining
        return state.withLock { state in
            state.nextNumber += 1
            state.actions[state.nextNumber] = action
            state.moments.insert(DeadlineHeap.Element(moment: moment, number: state.nextNumber))
            if state.sleeper.map({ moment < $0.moment }) ?? true { sleep(until: moment, &state) }
            return state.nextNumber
        }
    }

    /// Removes a deadline, in O(1) on average.
    ///
    /// - Returns: whether the deadline had not passed.
    package func remove(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.actions.removeValue(forKey: number) != nil else { return false }
            // A moment that is removed one by one costs a search in the heap; in bulk it costs next to nothing.
            if state.moments.count > 2 * state.actions.count + 64 {
                state.moments.removeAll { state.actions[$0] != nil }
            }
            // On the system's clock the next call finds the sleeper still there, and need not start one. A clock of
            // another kind, such as a test's, shows who sleeps: nothing sleeps for calls that are over.
            if state.actions.isEmpty, !time.isOfSystem {
                state.moments = DeadlineHeap()
                state.sleeper.take()?.task.cancel()
            }
            return true
        }
    }

    private func sleep(until moment: Duration, _ state: inout State) {
        state.sleeper?.task.cancel()
        state.sleeperCount += 1
        let number = state.sleeperCount
        // Detached: it serves the calls of all tasks, and must not keep the task-local values of one.
        let task = Task.detached { [weak self, time] in
            var next: Duration? = moment
            while let moment = next {
                do { try await time.sleep(for: moment - time.now) } catch { return }
                next = self?.endPassed(sleeper: number)
            }
        }
        state.sleeper = Sleeper(number: number, moment: moment, task: task)
    }

    /// Calls the actions of the deadlines that have passed.
    ///
    /// - Returns: the moment until which that sleeper sleeps then; nil if it is not needed any more.
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
