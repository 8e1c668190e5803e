import WaybillSystem

/// A value protected by a lock.
///
/// `@unchecked Sendable`: the value is only accessed in `withLock`. Inlinable, so that other modules can specialize the
/// generic code; `@usableFromInline`, because only members of such types can be inlined.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline package let lock = Lock()
    @usableFromInline package var value: Value

    @inlinable
    package init(_ value: sending Value) { self.value = value }

    /// Calls a closure with exclusive access to the value; the closure must not call client code.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
