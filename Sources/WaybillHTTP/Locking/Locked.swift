import WaybillSystem

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is accessed only through `withLock`. Inlinable, because other modules can
/// specialize the generic code only then; `@usableFromInline`, because the compiler inlines members of such types only.
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
