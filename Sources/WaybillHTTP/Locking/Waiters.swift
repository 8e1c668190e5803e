/// A task waiting for an outcome; see ``Locked/wait(cancelled:_:removing:)``.
@usableFromInline
package struct Waiter<Outcome: Sendable>: Sendable {
    /// The identifier, unique in the process; later waiters have higher ones.
    @usableFromInline package let id: Int
    private let continuation: CheckedContinuation<Outcome, Never>

    fileprivate init(_ id: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        self.id = id
        self.continuation = continuation
    }

    /// Resumes the task.
    ///
    /// The code that removes a waiter from its state calls this once, after releasing the lock.
    package func resume(returning outcome: Outcome) { continuation.resume(returning: outcome) }
}

/// The tasks waiting for an outcome, in the order in which they started waiting.
///
/// Inlinable for the same reason as ``Locked``.
@usableFromInline
package struct Waiters<Outcome: Sendable>: Sendable {
    @usableFromInline var waiters: [Int: Waiter<Outcome>] = [:]

    @inlinable
    package init() {}

    /// The number of waiting tasks.
    @inlinable package var count: Int { waiters.count }

    /// Adds a waiter.
    @inlinable
    package mutating func add(_ waiter: Waiter<Outcome>) { waiters[waiter.id] = waiter }

    /// Removes the waiter with the given identifier; returns nil if it has already been removed.
    @inlinable
    package mutating func remove(_ id: Int) -> Waiter<Outcome>? { waiters.removeValue(forKey: id) }

    /// Removes all waiters.
    ///
    /// - Returns: the waiters, in order, for the caller to resume.
    @inlinable
    package mutating func removeAll() -> [Waiter<Outcome>] {
        // Usually no task is waiting, and this path avoids an allocation.
        if waiters.isEmpty { return [] }
        defer { waiters = [:] }
        return waiters.values.sorted { $0.id < $1.id }
    }
}

extension Locked {
    /// Waits for an outcome, or until the task is cancelled.
    ///
    /// A waiter is resumed once, by the code that removes it from the value while holding the lock: the code that
    /// determines the outcome, or the cancellation of the task. No task is resumed while the lock is held.
    ///
    /// - Parameters:
    ///   - cancelled: the outcome if the task is cancelled before it is resumed.
    ///   - begin: called once while the lock is held, unless the task has been cancelled: returns the outcome if it is
    ///     known; otherwise stores the waiter in the value and returns nil.
    ///   - remove: called while the lock is held if the task is cancelled: removes the waiter with an identifier from
    ///     the value and returns it; returns nil if the value does not contain the waiter, because it has already been
    ///     removed or was never stored.
    /// - Returns: the outcome.
    package func wait<Outcome: Sendable>(
        cancelled: Outcome,
        _ begin: (inout Value, Waiter<Outcome>) -> Outcome?,
        removing remove: @escaping @Sendable (inout Value, Int) -> Waiter<Outcome>?
    ) async -> Outcome {
        let id = latestID.withLock { id in
            id += 1
            return id
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = withLock { value in
                    // If the task is cancelled after this check, the cancellation handler finds the waiter.
                    if Task.isCancelled { return cancelled }
                    return begin(&value, Waiter(id, continuation))
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            withLock { remove(&$0, id) }?.resume(returning: cancelled)
        }
    }
}

/// The identifier of the latest waiter.
private let latestID = Locked(0)
