import Waybill
import WaybillSystem

/// A cancellation flag for the statements of a read.
final class Interruption: Sendable {
    private let state = Locked(false)

    var isCancelled: Bool { state.withLock { $0 } }

    /// Stops the read, or prevents it from starting.
    func cancel() { state.withLock { $0 = true } }
}

extension Connection {
    /// Calls a closure in a read transaction.
    ///
    /// - Parameters:
    ///   - isShared: whether the connection is also used for writing.
    ///   - interruption: a flag that cancels the closure's statements, but not the one that ends the transaction.
    ///   - read: the closure.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreError``.
    func withSnapshot<Value>(
        isShared: Bool,
        _ interruption: Interruption,
        _ read: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if isShared { try execute("PRAGMA query_only = ON") }
        defer {
            if isInTransaction { try? execute("ROLLBACK") }
            if isShared { try? execute("PRAGMA query_only = OFF") }
        }
        try execute("BEGIN")
        self.interruption = interruption
        defer { self.interruption = nil }
        return try read(self)
    }
}
