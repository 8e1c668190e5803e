import Waybill
import WaybillSystem

// Adding pending writes to a row, and updating the row when its writes or its server version change.
extension StoreWrite {
    /// Adds a write to the outbox, and applies it to its row.
    ///
    /// The write is combined with the row's last pending write if possible.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - content: a draft, changes as a merge patch, or a whole body; null for a deletion.
    ///   - row: the row, which is new for a creation.
    /// - Throws: a database error.
    func add(
        _ operation: OutboxWrite.Operation,
        _ content: JSONValue,
        to row: inout StoredRow
    ) throws(StoreError) {
        var writes = try connection.outboxWrites(ofRow: row.number)
        if writes.isEmpty, operation != .create { row.base = row.document }
        let current: JSONValue? = row.isDeleted ? .none : row.document
        var next = OutboxWrite(
            collection: row.collection,
            row: row.number,
            operation: operation,
            content: content
        )
        // The row of a creation already contains the new item.
        let after = operation == .create ? row.document : next.applied(to: current)
        let coalescing =
            writes.last.map {
                Coalescing($0, operation, content, states: (writes.dropLast().applied(to: row.base), after))
            } ?? .separate
        switch coalescing {
        case .separate:
            try setReferences(of: &next)
            try save(&next)
            writes.append(next)
        case .merged(.delete, _):
            // Add the deletion at the end, after any writes below the item.
            try remove(writes.removeLast())
            try setReferences(of: &next)
            try save(&next)
            writes.append(next)
        case .merged(let operation, let content):
            var last = writes.removeLast()
            last.operation = operation
            last.content = content
            last.reset()
            try setReferences(of: &last)
            try save(&last)
            writes.append(last)
        case .nothing:
            try remove(writes.removeLast())
        }
        row.isDeleted = after == nil
        row.document = after ?? row.document
        try saveOrRemove(&row, pending: writes)
    }

    /// Saves a row with its remaining writes; removes it if it has neither writes nor a server version.
    func saveOrRemove(_ row: inout StoredRow, pending writes: [OutboxWrite]) throws(StoreError) {
        row.pending = writes.count
        guard writes.isEmpty else { return try save(&row) }
        guard let base = row.base else {
            try remove(row)
            return try abandonItem(row.id)
        }
        row.document = base
        row.base = nil
        row.isDeleted = false
        try save(&row)
    }

    /// Saves pending writes, and sets their row to the server's version with the writes applied.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - writes: the pending writes.
    ///   - theirs: the server's version.
    /// - Returns: nil, so that callers can return the result as the absence of a conflict.
    /// - Throws: a database error.
    func rebase(
        _ row: inout StoredRow,
        _ writes: [OutboxWrite],
        on theirs: JSONValue
    ) throws(StoreError) -> StoreConflict? {
        for var write in writes { try save(&write) }
        row.base = theirs
        let document = writes.applied(to: theirs)
        row.document = document ?? row.document
        row.isDeleted = document == nil
        try saveOrRemove(&row, pending: writes)
        return nil
    }

    /// Drops all pending writes to a row, and sets the row to the server's version.
    func drop(_ writes: [OutboxWrite], of row: inout StoredRow, theirs: JSONValue?) throws(StoreError) {
        for write in writes { try remove(write) }
        row.base = theirs
        try saveOrRemove(&row, pending: [])
    }

    /// Updates a row to the base with the pending writes applied; for example, a rejected deletion no longer hides it.
    func applyPendingWrites(to row: inout StoredRow) throws(StoreError) {
        // A new item's row contains the temporary id, which is missing from the draft.
        guard row.base != nil else { return }
        let document = try connection.outboxWrites(ofRow: row.number).applied(to: row.base)
        let isDeleted = document == nil
        guard isDeleted != row.isDeleted || document ?? row.document != row.document else { return }
        row.isDeleted = isDeleted
        row.document = document ?? row.document
        try save(&row)
    }

    /// Removes all rows below an item that will never be created, and parks the writes that refer to the item.
    private func abandonItem(_ id: String) throws(StoreError) {
        guard let identifier = try connection.unresolvedIdentifier(id), identifier.row != 0 else { return }
        try connection.execute("UPDATE identifiers SET row = 0 WHERE temporary = ?", [.text(id)])
        for collection in try connection.collections(below: id) {
            for row in try connection.rows(where: "collection = ?", [.integer(collection.number)]) {
                for write in try connection.outboxWrites(ofRow: row.number) { try remove(write) }
                try remove(row)
                try abandonItem(row.id)
            }
        }
        for number in try connection.outboxWriteNumbers(referringTo: id) {
            guard var write = try connection.outboxWrite(number) else { continue }
            park(&write, referringTo: id)
            try save(&write)
        }
    }

    private func park(_ write: inout OutboxWrite, referringTo id: String) {
        write.phase = .parked
        write.failure = OutboxEntry.Failure(
            summary: "it refers to the new item \(id), which was deleted before it was created on the server; discard"
                + " the entry, or change the item to remove the reference"
        )
    }

    /// Removes the rows below an item deleted by the server; rows with pending writes are kept, and the writes parked.
    func removeDescendants(of row: StoredRow) throws(StoreError) {
        guard let record = try connection.collectionRecord(row.collection) else { return }
        let url = CollectionRecord.url(of: record.address)
        // A list with a query may lack an item that the server still has.
        guard url == record.address else { return }
        let prefix = url + "/" + PercentEncoding.encode(row.id) + "/"
        let collections = try connection.collectionRecords(
            where: "user = ?1 AND substr(address, 1, length(?2)) = ?2",
            [.text(record.key.user), .text(prefix)]
        )
        for collection in collections {
            for below in try connection.rows(where: "collection = ?", [.integer(collection.number)]) {
                if below.pending == 0 {
                    try remove(below)
                    continue
                }
                for var write in try connection.outboxWrites(ofRow: below.number)
                where write.phase == .waiting && !write.isPossiblyApplied {
                    write.phase = .parked
                    write.failure = OutboxEntry.Failure(
                        summary: "the server has deleted the parent item \(row.id); discard the entry"
                    )
                    try save(&write)
                }
            }
        }
    }

    /// Sets a write's references to the temporary ids of other items in its path and content.
    ///
    /// A write that refers to an item that will never be created is parked.
    func setReferences(of write: inout OutboxWrite) throws(StoreError) {
        var identifiers = try connection.unresolvedIdentifiers(in: write.content)
        let address = try connection.collectionRecord(write.collection)?.address ?? ""
        for part in CollectionRecord.parts(of: address) {
            if let id = try connection.unresolvedIdentifier(part: part) { identifiers.append(id) }
        }
        identifiers.removeAll { $0.row == write.row }
        write.references = Set(identifiers.map(\.text))
        if let abandoned = identifiers.first(where: { $0.row == 0 }) { park(&write, referringTo: abandoned.text) }
    }
}
