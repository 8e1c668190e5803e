import Waybill
import WaybillSystem

/// The cancellation of a task, as the statements that read for it see it.
final class Interruption: Sendable {
    private let state = Locked(false)

    var isCancelled: Bool { state.withLock { $0 } }

    /// Stops the read, or keeps it from starting.
    func cancel() { state.withLock { $0 = true } }
}

extension Connection {
    /// Calls a closure in a transaction that only reads.
    ///
    /// - Parameters:
    ///   - isShared: whether the connection is the one that writes.
    ///   - interruption: the way to stop the closure; the end of the transaction is not stopped.
    ///   - read: the closure.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreError``.
    func inSnapshot<Value>(
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
