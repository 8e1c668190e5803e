import Waybill
import WaybillSystem

/// A collection's creations with unknown outcomes, to match with listed items that they have probably created.
///
/// A creation with a lost response is repeated later. Until then, its item would appear twice: in the creation's row,
/// and in the row of the listed item. The latter is therefore hidden until the outcome is known.
struct UnresolvedCreations {
    private var creations: [OutboxWrite]

    init(_ connection: Connection, in collection: Int64) throws(StoreError) {
        creations = try connection.unresolvedCreations(in: collection).filter { $0.twin == nil }
    }

    /// Saves the row of a listed item that is new to the store, hidden if an unresolved creation has probably created
    /// it.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - write: the transaction.
    /// - Throws: a database error.
    mutating func save(_ row: inout StoredRow, in write: StoreWrite) throws(StoreError) {
        let item = row.document
        guard let index = creations.firstIndex(where: { $0.isProbablyResult(item) }) else {
            return try write.save(&row)
        }
        row.isDeleted = true
        try write.save(&row)
        var creation = creations.remove(at: index)
        creation.twin = row.number
        try write.save(&creation)
    }
}

extension OutboxWrite {
    /// Whether an item contains all members of this creation's draft, with equal values.
    fileprivate func isProbablyResult(_ item: JSONValue) -> Bool {
        guard let members = content.objectValue, !members.isEmpty else { return false }
        return content.merging(over: item) == item
    }
}

extension StoreWrite {
    /// Shows a row that was hidden because of an unresolved creation.
    func reveal(_ number: Int64) throws(StoreError) {
        guard var row = try connection.row(number), row.isDeleted, row.pending == 0 else { return }
        row.isDeleted = false
        try save(&row)
    }

    /// Shows hidden rows without an unresolved creation or other pending writes.
    func revealRowsWithoutCreation() throws(StoreError) {
        let orphans = try connection.rows(
            where: """
                is_deleted = 1 AND pending = 0
                    AND number NOT IN (SELECT twin FROM outbox WHERE twin IS NOT NULL)
                """,
            []
        )
        for row in orphans { try reveal(row.number) }
    }
}
