import Waybill
import WaybillSystem

extension OutboxSender {
    /// Reads the item of a row from the server, and updates the row.
    ///
    /// A row without a number is added if the server has the item. A row with pending writes is left unchanged.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - collection: the collection of the row.
    /// - Throws: ``StoreError/call(_:)`` if the call fails, unless the item is forbidden or missing; a database error.
    func refresh(_ row: StoredRow, of collection: any RegisteredCollection) async throws(StoreError) {
        let (core, moment) = (core, core.logicalTime)
        let known = try await core.read { (connection) throws(StoreError) in try connection.row(row.number) }
        guard row.number == 0 || known?.pending == 0 else { return }
        let sent: SentWrite?
        do throws(APIError) {
            sent = SentWrite(try await collection.resource.read(collection.operationID(of: row)).response())
        } catch {
            if case .cancelled = error { throw .cancelled }
            if error.status?.code == 403 { return try await core.forbid(row) }
            guard error.isNotFound else { throw .call(error) }
            sent = nil
        }
        let now = core.now
        let conflict = try await core.write { (store) throws(StoreError) -> StoreConflict? in
            let present =
                row.number == 0
                ? try store.connection.row(row.id, in: row.collection) : try store.connection.row(row.number)
            guard var current = present else {
                guard row.number == 0, let document = sent?.document,
                    !core.wasRemoved(row.id, from: row.collection, since: moment)
                else { return nil }
                var new = row
                (new.document, new.entityTag, new.fetched) = (document, sent?.entityTag, now)
                new.source = sent?.source
                try store.save(&new)
                return nil
            }
            guard !core.wasUpdated(current.number, since: moment) else { return nil }
            current.fetched = now
            current.source = sent?.source ?? current.source
            try store.permit(current)
            return try store.mergeServerVersion(
                sent?.document,
                entityTag: sent?.entityTag,
                into: &current,
                of: collection
            )
        }
        if let conflict { core.events.publish(.conflict(conflict)) }
    }
}

extension StoreCore {
    /// Records that the server forbids reading the item of a row.
    func forbid(_ row: StoredRow) async throws(StoreError) {
        guard row.number != 0 else { return }
        try await write { (store) throws(StoreError) in
            try store.connection.execute("INSERT OR IGNORE INTO forbidden VALUES (?)", [.integer(row.number)])
        }
    }
}

extension StoreWrite {
    /// Records that the server allows reading the item of a row.
    func permit(_ row: StoredRow) throws(StoreError) {
        try connection.execute("DELETE FROM forbidden WHERE row = ?", [.integer(row.number)])
    }

    /// Records that the server allows reading the items of a walk, and removes marks of missing rows.
    func permitRows(ofGeneration generation: Int64, in collection: Int64) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM forbidden WHERE NOT EXISTS (
                SELECT 1 FROM rows WHERE number = forbidden.row AND NOT (collection = ? AND generation = ?)
            )
            """,
            [.integer(collection), .integer(generation)]
        )
    }
}
