import Foundation

/// Counts from 1.
///
/// `@unchecked Sendable`: the count is touched under the lock alone; the atomic types of the standard library need a
/// newer system than the package does.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
