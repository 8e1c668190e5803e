import WaybillSystem

/// A write that is being done, inside of the closure that does it.
package final class Transaction {
    /// The connection that writes.
    ///
    /// Statements that begin or end transactions are not for closures.
    package let connection: Connection
    /// The actions that follow the commit.
    private(set) var actions: [@Sendable () -> Void] = []

    init(_ connection: Connection) { self.connection = connection }

    /// Calls a function when the transaction is durable, before the write returns; never if it fails.
    ///
    /// Functions are called on the writer's thread, in the order of the writes and, within one, of the calls of this
    /// method. The next transaction begins after they return.
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }
}
