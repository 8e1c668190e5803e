import Foundation

/// A value behind a lock, whose changes tasks can wait for.
///
/// Continuations are resumed after the lock is released, so that no code of a caller runs under it.
final class Monitor<Value: Sendable>: @unchecked Sendable {  // every access to its variables holds `lock`
    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private var value: Value
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    init(_ value: Value) { self.value = value }

    /// The value as it is now.
    var current: Value { lock.withLock { value } }

    /// Returns an id that the monitor has not returned before.
    func nextID() -> Int {
        lock.withLock {
            lastID += 1
            return lastID
        }
    }

    /// Changes the value and resumes the tasks whose condition now holds.
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, satisfied) = lock.withLock {
            let result = change(&value)
            guard !waiters.isEmpty else { return (result, [CheckedContinuation<Void, Never>]()) }
            let ready = waiters.filter { $0.value.condition(value) }
            for id in ready.keys { waiters[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in satisfied { continuation.resume() }
        return result
    }

    /// Waits until the condition holds; returns early if the task is cancelled.
    ///
    /// The condition is evaluated under the lock, so it must be quick and must not use the monitor.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = nextID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = lock.withLock {
                    // A cancellation that comes after this question finds the waiter in the dictionary.
                    if Task.isCancelled || condition(value) { return true }
                    waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = lock.withLock { waiters.removeValue(forKey: id) }
            waiter?.continuation.resume()
        }
    }
}
