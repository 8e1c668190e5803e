import Foundation

/// A value that is only touched while a lock is held.
///
/// `@unchecked Sendable`: the value is reached through `withLock` alone.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Touches the value; nothing of a caller's may run in there.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
