import WaybillSystem

/// Counts from 1.
///
/// `@unchecked Sendable`: the count is accessed only under the lock; the atomic types of the standard library need a
/// newer system than the package does.
final class Counter: @unchecked Sendable {
    private let lock = Lock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
