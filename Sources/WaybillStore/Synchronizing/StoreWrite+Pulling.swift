import Waybill
import WaybillSystem

// The items of lists, as they take the place of rows.
extension StoreWrite {
    /// Takes an item of a list.
    func pull(
        _ item: JSONValue,
        in number: Int64,
        _ collection: any RegisteredCollection,
        _ walk: (generation: Int64, date: Date, since: UInt64),
        _ core: StoreCore,
        _ result: inout PageResult
    ) throws(StoreError) {
        guard let id = collection.id(of: item) else {
            result.unreadable.append(
                StoreError.ItemFailure(
                    template: collection.template,
                    id: nil,
                    reason: "an item of the list has no id; declare its member: Identifier(\"…\")"
                )
            )
            return
        }
        let isDeleted = collection.delta?.isDeleted(item) ?? false
        guard var row = try connection.row(id.text, in: number) else {
            guard !isDeleted else { return }
            var row = StoredRow(collection: number, id: id.text, document: item)
            row.generation = walk.generation
            row.fetched = walk.date
            try save(&row)
            result.changed += 1
            return
        }
        if row.generation == walk.generation { result.isShifted = true }
        if isDeleted { result.hasDeletion = true }
        if core.wasSettled(row.number, since: walk.since) {
            result.uncertain.append(row.number)
            return try touch(row, generation: walk.generation, fetched: row.fetched ?? walk.date)
        }
        row.generation = walk.generation
        row.fetched = walk.date
        if isDeleted {
            result.removed += row.pending == 0 ? 1 : 0
        } else if row.serverVersion != item {
            result.changed += 1
        } else if !(try isInConflict(row)) {
            // The entity tag stays too: a list has none.
            return try touch(row, generation: walk.generation, fetched: walk.date)
        }
        let conflict = try take(isDeleted ? .none : item, entityTag: nil, into: &row, of: collection)
        if let conflict { result.conflicts.append(conflict) }
    }

    /// Whether a pending write of a row waits because of another version, or of a deletion.
    private func isInConflict(_ row: StoredRow) throws(StoreError) -> Bool {
        guard row.pending > 0 else { return false }
        return try connection.outboxWrites(ofRow: row.number).first?.phase == .conflict
    }

    /// Removes the rows that a whole list does not have; what has pending writes is a conflict.
    func sweep(
        _ number: Int64,
        _ collection: any RegisteredCollection,
        before generation: Int64,
        except settled: (Int64) -> Bool,
        _ result: inout PageResult
    ) throws(StoreError) {
        let missing = try connection.rows(
            // A row without a server's version is a creation on its way.
            where: "collection = ? AND generation < ? AND (pending = 0 OR base IS NOT NULL)",
            [.integer(number), .integer(generation)]
        )
        for var row in missing where !settled(row.number) {
            if row.pending == 0 { result.removed += 1 }
            let conflict = try take(nil, entityTag: nil, into: &row, of: collection)
            if let conflict { result.conflicts.append(conflict) }
        }
    }
}

extension OutboxSender {
    /// Reads a row from its server.
    func refresh(_ row: StoredRow, of collection: any RegisteredCollection) async throws(StoreError) {
        let moment = core.moment
        let document: JSONValue?
        let entityTag: String?
        do throws(APIError) {
            let response = try await collection.resource.read(collection.operationID(of: row)).response()
            document = response.value.json
            entityTag = response.entityTag.flatMap { $0.isWeak ? nil : "\($0)" }
        } catch {
            guard error.isNotFound else { throw .call(error) }
            (document, entityTag) = (nil, nil)
        }
        let (core, now) = (core, core.now)
        let conflict = try await core.write { (store) throws(StoreError) -> StoreConflict? in
            guard var current = try store.connection.row(row.number), !core.wasSettled(row.number, since: moment) else {
                return nil
            }
            current.fetched = now
            return try store.take(document, entityTag: entityTag, into: &current, of: collection)
        }
        if let conflict { core.events.send(.conflict(conflict)) }
    }
}
