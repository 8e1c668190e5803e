import Waybill
import WaybillSystem

/// A write transaction on a store, which records its changes.
///
/// An instance is used on the writer's thread, during one transaction.
final class StoreWrite {
    let connection: Connection
    private let indexes: (Int64) -> (any IndexedCollection)?
    private var changed: [Int64: [Int64: RowChange]] = [:]

    /// The numbers of rows whose pending writes may have changed, by collection.
    private var rowsWithChangedWrites: [Int64: Set<Int64>] = [:]

    /// The collections and ids of removed rows.
    private(set) var removed: [(collection: Int64, id: String)] = []

    /// The collections with changed addresses.
    var renamed: [RenamedCollection] = []

    init(_ connection: Connection, indexes: @escaping (Int64) -> (any IndexedCollection)?) {
        self.connection = connection
        self.indexes = indexes
    }

    /// Removes rows that exceed the bounds of changed collections, increments the commit counter if anything changed,
    /// and returns the changes by collection.
    func finish(at now: Date) throws(StoreError) -> [Int64: RowChanges] {
        for collection in changed.keys { try removeBeyondBound(of: collection, at: now) }
        guard !changed.isEmpty else { return [:] }
        try connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'clock'")
        let commit = try connection.counter("clock")
        return changed.mapValues { RowChanges(commit: commit, changes: Array($0.values)) }
    }

    private func recordChange(of row: StoredRow, isRemoved: Bool = false) {
        changed[row.collection, default: [:]][row.number] = RowChange(
            row: row.number,
            current: isRemoved || row.isDeleted ? nil : (row.id, row.document)
        )
        if row.pending > 0 { recordWriteChange(ofRow: row.number, in: row.collection) }
    }

    /// Records that the pending writes of a row may have changed.
    func recordWriteChange(ofRow row: Int64, in collection: Int64) {
        rowsWithChangedWrites[collection, default: []].insert(row)
    }

    /// Returns the states of rows whose pending writes may have changed, by collection.
    ///
    /// - Parameter isObserved: whether the states of a collection are observed; other collections are skipped.
    /// - Returns: the states by row; nil for a row without pending writes.
    /// - Throws: a database error.
    func changedStates(where isObserved: (Int64) -> Bool) throws(StoreError) -> [Int64: [Int64: RowStatus?]] {
        var states: [Int64: [Int64: RowStatus?]] = [:]
        for (collection, rows) in rowsWithChangedWrites where isObserved(collection) {
            for row in rows {
                let status = try connection.status(ofRow: row, in: collection)
                states[collection, default: [:]].updateValue(status, forKey: row)
            }
        }
        return states
    }

    /// Records that a row has left its collection.
    func recordRemoval(of row: StoredRow) { recordChange(of: row, isRemoved: true) }

    // MARK: Rows

    /// Adds a row, or updates it if it has a number; also updates its index entries and records the change.
    func save(_ row: inout StoredRow) throws(StoreError) {
        try write(&row)
        try index(row)
        recordChange(of: row)
    }

    /// Adds a row, or updates it if it has a number; does not update its index entries or record the change.
    func write(_ row: inout StoredRow) throws(StoreError) {
        var values: [DatabaseValue] = [
            .integer(row.collection), .text(row.id), .text(row.text(of: row.document)),
            DatabaseValue(row.base.map(row.text)), DatabaseValue(row.entityTag), .integer(row.isDeleted ? 1 : 0),
            .integer(Int64(row.pending)), .integer(row.generation), DatabaseValue(row.fetched),
        ]
        if row.number == 0 {
            try connection.execute(
                """
                INSERT INTO rows
                    (collection, id, document, base, entity_tag, is_deleted, pending, generation, fetched)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                values
            )
            row.number = connection.lastInsertedRow
        } else {
            values.append(.integer(row.number))
            try connection.execute(
                """
                UPDATE rows SET collection = ?, id = ?, document = ?, base = ?, entity_tag = ?, is_deleted = ?,
                    pending = ?, generation = ?, fetched = ? WHERE number = ?
                """,
                values
            )
        }
    }

    /// Removes a row and its index entries.
    func remove(_ row: StoredRow) throws(StoreError) {
        try connection.execute("DELETE FROM index_entries WHERE row = ?", [.integer(row.number)])
        try connection.execute("DELETE FROM rows WHERE number = ?", [.integer(row.number)])
        recordChange(of: row, isRemoved: true)
        removed.append((row.collection, row.id))
    }

    private func index(_ row: StoredRow) throws(StoreError) {
        if let collection = indexes(row.collection) { return try index(row, by: collection) }
        // The collection's indexes are unknown. Remove them; declaring the collection rebuilds them.
        try connection.execute(
            "DELETE FROM index_entries WHERE \"index\" IN (SELECT number FROM indexes WHERE collection = ?)",
            [.integer(row.collection)]
        )
        try connection.execute("DELETE FROM indexes WHERE collection = ?", [.integer(row.collection)])
    }

    /// Writes the index entries of a row.
    func index(_ row: StoredRow, by collection: any IndexedCollection) throws(StoreError) {
        guard collection.hasIndexes else { return }
        try connection.execute("DELETE FROM index_entries WHERE row = ?", [.integer(row.number)])
        guard !row.isDeleted else { return }
        for (index, value) in collection.indexEntries(of: row.document) {
            try connection.execute(
                "INSERT OR IGNORE INTO index_entries VALUES (?1, ?2, ?3, waybill_checksum(?1, ?2, ?3))",
                [.integer(index), value.key, .integer(row.number)]
            )
        }
    }

    /// Removes rows that exceed the bound of a collection.
    func removeBeyondBound(of collection: Int64, at now: Date) throws(StoreError) {
        guard let bound = indexes(collection)?.bound(at: now) else { return }
        for row in try connection.rows(beyond: bound) { try remove(row) }
    }

    /// Updates the generation and the fetch date of an unchanged row.
    func touch(_ row: StoredRow, generation: Int64, fetched: Date) throws(StoreError) {
        try connection.execute(
            "UPDATE rows SET generation = ?, fetched = ? WHERE number = ?",
            [.integer(generation), DatabaseValue(fetched), .integer(row.number)]
        )
    }

    // MARK: Pending writes

    /// Adds a pending write, or updates it if it has a number.
    func save(_ write: inout OutboxWrite) throws(StoreError) {
        if let twin = write.twin, !write.deliveryState.awaitsResult {
            write.twin = nil
            try reveal(twin)
        }
        var values: [DatabaseValue] = [
            .integer(write.collection), .integer(write.row), .text(write.operation.rawValue),
            .text(write.content.description), .text(write.phase.rawValue),
            .integer(Int64(write.attempts)), DatabaseValue(write.notBefore),
            .integer(write.isDelayedByServer ? 1 : 0),
            .text(JSONValue.array(write.references.sorted().map { .string($0) }).description),
            DatabaseValue(write.failure?.json.description), DatabaseValue(write.theirs?.description),
            DatabaseValue(write.newest?.description), write.request.map { .integer($0) } ?? .null,
            .integer(write.isAlone ? 1 : 0), write.twin.map { .integer($0) } ?? .null,
        ]
        if write.number == 0 {
            try connection.execute(
                """
                INSERT INTO outbox (collection, row, operation, content, state, attempts, not_before,
                    is_delayed_by_server, "references", failure, theirs, newest, request, is_alone, twin)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                values
            )
            write.number = connection.lastInsertedRow
        } else {
            values.append(.integer(write.number))
            try connection.execute(
                """
                UPDATE outbox SET collection = ?, row = ?, operation = ?, content = ?, state = ?, attempts = ?,
                    not_before = ?, is_delayed_by_server = ?, "references" = ?, failure = ?, theirs = ?,
                    newest = ?, request = ?, is_alone = ?, twin = ?
                WHERE number = ?
                """,
                values
            )
            try connection.execute("DELETE FROM outbox_references WHERE write = ?", [.integer(write.number)])
        }
        recordWriteChange(ofRow: write.row, in: write.collection)
        try addReferences(of: write)
    }

    /// Adds the temporary ids in a pending write to the table `outbox_references`.
    func addReferences(of write: OutboxWrite) throws(StoreError) {
        for reference in write.references {
            try connection.execute(
                "INSERT INTO outbox_references VALUES (?, ?)",
                [.text(reference), .integer(write.number)]
            )
        }
    }

    /// Removes a pending write, and reveals the row hidden because of it.
    func remove(_ write: OutboxWrite) throws(StoreError) {
        recordWriteChange(ofRow: write.row, in: write.collection)
        try connection.execute("DELETE FROM outbox WHERE number = ?", [.integer(write.number)])
        if let twin = write.twin { try reveal(twin) }
    }
}

/// The indexes and the bound of a collection.
protocol IndexedCollection: Sendable {
    var hasIndexes: Bool { get }

    /// Returns the bound on the collection's rows; nil if all rows are kept.
    func bound(at now: Date) -> RowBound?

    /// Returns the numbers of the indexes with the values of a document; empty if the document does not decode.
    func indexEntries(of document: JSONValue) -> [(index: Int64, value: IndexValue)]
}

extension DatabaseValue {
    init(_ date: Date?) { self = date.map { .real($0.timeIntervalSince1970) } ?? .null }
}

extension Connection {
    func counter(_ name: String) throws(StoreError) -> Int64 {
        try first("SELECT value FROM counters WHERE name = ?", [.text(name)]) { $0.integer(0) } ?? 0
    }
}
