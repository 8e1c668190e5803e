import WaybillSystem

/// The transaction of a write, passed to the closure that performs it.
package final class Transaction {
    /// The writer's connection.
    ///
    /// The closure must not begin or end transactions.
    package let connection: Connection
    /// The actions to call after the commit.
    private(set) var actions: [@Sendable () -> Void] = []

    init(_ connection: Connection) { self.connection = connection }

    /// Adds an action to call when the transaction is durable, before the write returns.
    ///
    /// If the transaction fails, the action is not called. Actions are called on the writer's thread, in the order of
    /// the writes and of the calls to this method. The next transaction begins after they return.
    ///
    /// - Parameter action: the action.
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }
}
