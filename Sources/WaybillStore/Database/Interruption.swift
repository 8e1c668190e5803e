import Waybill
import WaybillSystem

/// The way from the cancellation of a task to the statement that reads for it.
final class Interruption: Sendable {
    private struct State {
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// Stops the read, or keeps it from starting.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock, so that it does not stop the next read of the connection.
            state.stop?()
        }
    }

    /// Reads by a connection until the read is cancelled.
    func during<Value>(
        _ connection: Connection,
        _ read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let stop = connection.interruption
        state.withLock { $0.stop = stop }
        connection.isCancelled = { self.state.withLock { $0.isCancelled } }
        defer {
            state.withLock { $0.stop = nil }
            connection.isCancelled = nil
        }
        return try read()
    }
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
        return try interruption.during(self) { () throws(StoreError) in try read(self) }
    }
}
