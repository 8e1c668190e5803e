import Waybill

// Conversion of pending writes from an earlier version of the app.
extension StoreWrite {
    /// The prefix of the stored failure summary, by which a later run recognizes a failed conversion.
    private static var failedConversion: String { "the declared conversion of its content failed:" }

    /// Converts the pending writes of a collection, except deletions and writes that are being sent, may have been
    /// applied, or are in conflict.
    func convert<Element>(_ context: CollectionContext<Element>, _ number: Int64) throws(StoreError) {
        guard let conversion = context.clauses.conversion else { return }
        let writes = try connection.outboxWrites(ofCollection: number)
        var rows: Set<Int64> = []
        for var write in writes where write.isConvertible && write.operation != .delete {
            let hadFailed = write.failure?.summary.hasPrefix(Self.failedConversion) ?? false
            do {
                let content = try conversion.convert(write.content, write.operation.entryOperation)
                guard content != write.content || hadFailed else { continue }
                write.content = content
                if hadFailed { (write.phase, write.failure) = (.waiting, nil) }
            } catch {
                write.phase = .parked
                write.failure = OutboxEntry.Failure(
                    summary: "\(Self.failedConversion) \(error); correct it, or discard the entry"
                )
            }
            try save(&write)
            rows.insert(write.row)
        }
        for number in rows.sorted() {
            guard var row = try connection.row(number) else { continue }
            let pending = try connection.outboxWrites(ofRow: number)
            row.document = pending.applied(to: row.base ?? row.document) ?? row.document
            try save(&row)
        }
    }
}

extension OutboxWrite {
    /// Whether the content can be converted: the write is waiting or was rejected, and cannot have been applied.
    fileprivate var isConvertible: Bool { deliveryState.isCombinable }
}

extension OutboxWrite.Operation {
    /// The operation as reported in an outbox entry.
    var entryOperation: OutboxEntry.Operation {
        switch self {
        case .create: .create
        case .update, .replace: .update
        case .patch: .patch
        case .delete: .delete
        }
    }
}
