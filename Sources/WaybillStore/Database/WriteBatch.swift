import WaybillSystem

/// Writes that share a transaction.
struct WriteBatch {
    private let connection: Connection
    /// The writes that are done and not yet committed.
    private var done: [any PendingWrite] = []
    private var actions: [@Sendable () -> Void] = []
    /// The number of writes that were begun.
    private(set) var count = 0
    /// Whether the transaction is open.
    private(set) var isOpen = false

    init(_ connection: Connection) { self.connection = connection }

    /// Does writes; those that fail end at once.
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

    /// Commits the writes that are done, calls their actions, and ends them.
    mutating func commit() {
        guard isOpen else { return }
        do throws(StoreError) {
            try connection.execute("COMMIT")
        } catch {
            return undo(error)
        }
        isOpen = false
        for action in actions { action() }
        for write in done { write.finish(nil) }
    }

    private mutating func begin() throws(StoreError) {
        if isOpen { return }
        // It is still open if its rollback failed.
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
            undoOne(error)
            throw error
        }
        done.append(write)
        actions += transaction.actions
    }

    /// Undoes the write that failed.
    ///
    /// If that cannot be done alone, or if SQLite has undone all of them, as it does if the disk is full, the others
    /// fail with the same error.
    private mutating func undoOne(_ error: StoreError) {
        guard connection.isInTransaction else { return undo(error) }
        do throws(StoreError) {
            try connection.execute("ROLLBACK TO write")
            try connection.execute("RELEASE write")
        } catch let second {
            undo(second)
        }
    }

    /// Undoes all writes, which fail with an error.
    private mutating func undo(_ error: StoreError) {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        isOpen = false
        for write in done { write.finish(error) }
        done = []
        actions = []
    }
}
