import Waybill
import WaybillSystem

// The pending writes of a row: adding one, and updating the row when one ends or its server version changes.
extension StoreWrite {
    /// Adds a write to the outbox, and applies it to its row.
    ///
    /// The write is combined with the last pending write of the row if that one cannot have been applied.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - content: the draft, the changes as a merge patch, the whole body, or null for a deletion.
    ///   - row: the row; a new one for a creation.
    /// - Throws: the error of the database.
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
        // The row of a creation already contains the item as the app shows it.
        let after = operation == .create ? row.document : next.applied(to: current)
        let coalescing =
            writes.last.map {
                Coalescing($0, operation, content, states: (writes.dropLast().applied(to: row.base), after))
            } ?? .separate
        switch coalescing {
        case .separate:
            try refer(&next)
            try save(&next)
            writes.append(next)
        case .merged(.delete, _):
            // A deletion must stay after the writes below the item.
            try remove(writes.removeLast())
            try refer(&next)
            try save(&next)
            writes.append(next)
        case .merged(let operation, let content):
            var last = writes.removeLast()
            last.operation = operation
            last.content = content
            last.makeNew()
            try refer(&last)
            try save(&last)
            writes.append(last)
        case .nothing:
            try remove(writes.removeLast())
        }
        row.isDeleted = after == nil
        row.document = after ?? row.document
        try saveOrRemove(&row, pending: writes)
    }

    /// Saves a row with its remaining writes, or removes it if it has neither writes nor a server version.
    func saveOrRemove(_ row: inout StoredRow, pending writes: [OutboxWrite]) throws(StoreError) {
        row.pending = writes.count
        guard writes.isEmpty else { return try save(&row) }
        guard let base = row.base else {
            try remove(row)
            return try abandon(row.id)
        }
        row.document = base
        row.base = nil
        row.isDeleted = false
        try save(&row)
    }

    /// Sets a row to the server's version with its pending writes applied.
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

    /// Drops pending writes, so that the row shows the server's version.
    func drop(_ writes: [OutboxWrite], of row: inout StoredRow, theirs: JSONValue?) throws(StoreError) {
        for write in writes { try remove(write) }
        row.base = theirs
        try saveOrRemove(&row, pending: [])
    }

    /// Updates a row to reflect the states of its pending writes; for example, a rejected deletion no longer hides it.
    func show(_ row: inout StoredRow) throws(StoreError) {
        // The row of a creation contains the temporary id, which its draft lacks.
        guard row.base != nil else { return }
        let document = try connection.outboxWrites(ofRow: row.number).applied(to: row.base)
        let isDeleted = document == nil
        guard isDeleted != row.isDeleted || document ?? row.document != row.document else { return }
        row.isDeleted = isDeleted
        row.document = document ?? row.document
        try save(&row)
    }

    /// Removes everything below an item that will never be created, and parks the writes that refer to it.
    private func abandon(_ id: String) throws(StoreError) {
        guard let open = try connection.openIdentifier(id), open.row != 0 else { return }
        try connection.execute("UPDATE identifiers SET row = 0 WHERE temporary = ?", [.text(id)])
        for collection in try connection.collections(below: id) {
            for row in try connection.rows(where: "collection = ?", [.integer(collection.number)]) {
                for write in try connection.outboxWrites(ofRow: row.number) { try remove(write) }
                try remove(row)
                try abandon(row.id)
            }
        }
        for number in try connection.outboxWrites(referringTo: id) {
            guard var write = try connection.outboxWrite(number) else { continue }
            park(&write, because: id)
            try save(&write)
        }
    }

    private func park(_ write: inout OutboxWrite, because id: String) {
        write.phase = .parked
        write.failure = OutboxEntry.Failure(
            summary: "it refers to the item \(id), which was deleted before it was sent"
        )
    }

    /// Removes the rows below an item that the server has deleted, and parks their pending writes.
    func orphan(below row: StoredRow) throws(StoreError) {
        guard let place = try connection.place(ofCollection: row.collection) else { return }
        let url = CollectionPlace.url(of: place.address)
        // A list with a query may lack an item that the server still has.
        guard url == place.address else { return }
        let prefix = url + "/" + PercentEncoding.encode(row.id) + "/"
        let collections = try connection.places(
            where: "user = ?1 AND substr(address, 1, length(?2)) = ?2",
            [.text(place.key.user), .text(prefix)]
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
                        summary: "the server deleted its parent item \(row.id)"
                    )
                    try save(&write)
                }
            }
        }
    }

    /// Records the temporary ids of other rows that a write refers to, in its path or content.
    private func refer(_ write: inout OutboxWrite) throws(StoreError) {
        var open = try connection.openIdentifiers(in: write.content)
        let address = try connection.place(ofCollection: write.collection)?.address ?? ""
        for part in CollectionPlace.parts(of: address) {
            if let id = try connection.openIdentifier(part: part) { open.append(id) }
        }
        open.removeAll { $0.row == write.row }
        write.references = Set(open.map(\.text))
        if let abandoned = open.first(where: { $0.row == 0 }) { park(&write, because: abandoned.text) }
    }
}
