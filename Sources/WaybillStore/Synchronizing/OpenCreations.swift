import Waybill
import WaybillSystem

/// The creations of a collection with unknown outcomes, matched with listed items that they have probably created.
///
/// A creation whose response was lost is repeated later. Until then, both its row and the item that the server created
/// would be shown. The row of the listed item is therefore hidden until the outcome is known.
struct OpenCreations {
    private var creations: [OutboxWrite]

    init(_ connection: Connection, in collection: Int64) throws(StoreError) {
        creations = try connection.openCreations(in: collection).filter { $0.twin == nil }
    }

    /// Saves a new row, hidden if an open creation has probably created its item.
    ///
    /// - Parameters:
    ///   - row: the row of an item that the store did not contain.
    ///   - write: the transaction.
    /// - Throws: the error of the database.
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
    /// Whether an item contains all members of the draft with equal values.
    fileprivate func isProbablyResult(_ item: JSONValue) -> Bool {
        guard let members = content.objectValue, !members.isEmpty else { return false }
        return content.merging(over: item) == item
    }
}

extension StoreWrite {
    /// Shows the hidden row of an item that a creation has not created, or may not have created.
    func reveal(_ number: Int64) throws(StoreError) {
        guard var row = try connection.row(number), row.isDeleted, row.pending == 0 else { return }
        row.isDeleted = false
        try save(&row)
    }

    /// Shows the hidden rows whose creations are gone.
    func revealOrphans() throws(StoreError) {
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
