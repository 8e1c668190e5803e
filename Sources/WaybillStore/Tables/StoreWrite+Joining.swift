import Waybill
import WaybillSystem

// Merging two collections with the same address.
extension StoreWrite {
    /// Moves the rows and pending writes of a collection to another collection, and removes the first collection.
    ///
    /// If both contain a row with the same id, the pending writes move to the target's row.
    func merge(_ old: Int64, into target: Int64) throws(StoreError) {
        // Use the target's generation, so that the next fetch of its whole list removes rows missing from the list.
        let generation = try connection.generation(of: target)
        for var row in try connection.rows(where: "collection = ?", [.integer(old)]) {
            try connection.execute(
                "UPDATE outbox SET collection = ? WHERE row = ?",
                [.integer(target), .integer(row.number)]
            )
            recordRemoval(of: row)
            if let known = try connection.row(row.id, in: target) {
                try join(row, to: known)
            } else {
                row.collection = target
                row.generation = generation
                try save(&row)
            }
        }
        try connection.execute("DELETE FROM checkpoints WHERE collection = ?", [.integer(old)])
        let indexes = "SELECT number FROM indexes WHERE collection = ?"
        try connection.execute("DELETE FROM index_entries WHERE \"index\" IN (\(indexes))", [.integer(old)])
        try connection.execute("DELETE FROM indexes WHERE collection = ?", [.integer(old)])
        try connection.execute("DELETE FROM collections WHERE number = ?", [.integer(old)])
    }

    /// Moves the pending writes of a row to another row of the same item, and removes the first row.
    private func join(_ row: StoredRow, to target: StoredRow) throws(StoreError) {
        var target = target
        let base = target.serverVersion ?? row.serverVersion
        for table in ["outbox", "identifiers"] {
            try connection.execute(
                "UPDATE \(table) SET row = ? WHERE row = ?",
                [.integer(target.number), .integer(row.number)]
            )
        }
        try remove(row)
        let writes = try connection.outboxWrites(ofRow: target.number)
        guard !writes.isEmpty else { return }
        let document = writes.applied(to: base ?? target.document)
        target.base = base
        target.document = document ?? target.document
        target.isDeleted = document == nil
        try saveOrRemove(&target, pending: writes)
    }
}
