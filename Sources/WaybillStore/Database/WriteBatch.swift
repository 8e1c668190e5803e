import WaybillSystem

/// Writes that share a transaction.
struct WriteBatch {
    private let connection: Connection
    /// The executed writes that are not committed yet.
    private var executed: [any PendingWrite] = []
    private var actions: [@Sendable () -> Void] = []
    /// The number of writes that have started.
    private(set) var count = 0
    /// Whether the transaction is open.
    private(set) var isOpen = false

    init(_ connection: Connection) { self.connection = connection }

    /// Executes writes; a write that fails ends immediately.
    mutating func run(_ writes: [any PendingWrite]) {
        for write in writes {
            count += 1
            do throws(StoreError) {
                try begin()
                try run(write)
            } catch {
                write.finish(error)
            }
        }
    }

    /// Commits the executed writes, calls their actions, and ends them.
    mutating func commit() {
        guard isOpen else { return }
        do throws(StoreError) {
            try connection.execute("COMMIT")
        } catch {
            return rollBackAll(error)
        }
        isOpen = false
        for action in actions { action() }
        for write in executed { write.finish(nil) }
    }

    private mutating func begin() throws(StoreError) {
        if isOpen { return }
        // The transaction is still open if its rollback failed.
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        try connection.execute("BEGIN IMMEDIATE")
        isOpen = true
    }

    private mutating func run(_ write: any PendingWrite) throws(StoreError) {
        let transaction = Transaction(connection)
        do throws(StoreError) {
            try connection.execute("SAVEPOINT write")
            try write.run(in: transaction)
            try connection.execute("RELEASE write")
        } catch {
            rollBackLast(error)
            throw error
        }
        executed.append(write)
        actions += transaction.actions
    }

    /// Rolls back the write that has just failed.
    ///
    /// If it cannot be rolled back separately, or if SQLite has rolled back the whole transaction, for example because
    /// the disk is full, the other writes fail too.
    private mutating func rollBackLast(_ error: StoreError) {
        guard connection.isInTransaction else { return rollBackAll(error) }
        do throws(StoreError) {
            try connection.execute("ROLLBACK TO write")
            try connection.execute("RELEASE write")
        } catch let second {
            rollBackAll(second)
        }
    }

    /// Rolls back all writes, and ends them with an error.
    private mutating func rollBackAll(_ error: StoreError) {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        isOpen = false
        for write in executed { write.finish(error) }
        executed = []
        actions = []
    }
}
