import WaybillSystem

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is reached through `withLock` alone. Inlinable, because a generic class of another
/// module is slow otherwise; and usable from inlinable code, because the compiler inlines no member of a type that is
/// not.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline package let lock = Lock()
    @usableFromInline package var value: Value

    @inlinable
    package init(_ value: sending Value) { self.value = value }

    /// Calls a closure with the value; the closure must not call code of a caller.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
