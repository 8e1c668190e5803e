import Waybill
import WaybillSystem

extension CollectionContext {
    /// Returns the rows that do not decode.
    ///
    /// If the store has changed since the last call, all rows of the collection are decoded again.
    func undecodableRows(in core: StoreCore) async throws(StoreError) -> [UndecodableRow] {
        let number = try await number(in: core)
        return try await core.read { (connection) throws(StoreError) in
            let commit = try connection.counter("clock")
            if let known = self.undecodable.rows(at: commit) { return known }
            var found: [(row: Int64, reason: String)] = []
            try connection.forEachBatch(of: .scan(collection: number), count: 1024) { (documents) in
                if self.coding.items(documents) != nil { return true }
                for index in 0..<documents.count {
                    do { _ = try self.coding.item(documents.document(at: index)) } catch {
                        found.append((documents.rows[index], "the row does not decode: \(error)"))
                    }
                }
                return true
            }
            let rows = try found.map { (row, reason) throws(StoreError) in
                let id = try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(row)]) { $0.text(0) }
                return UndecodableRow(row: row, failure: .init(template: self.template, id: id, reason: reason))
            }
            self.undecodable.update(to: rows, at: commit)
            return rows
        }
    }
}

extension RegisteredCollection {
    /// Reports undecodable rows that have not been reported yet, and returns the number of undecodable rows.
    func reportUndecodableRows(in core: StoreCore) async throws(StoreError) -> Int {
        let rows = try await undecodableRows(in: core)
        for failure in undecodable.markReported(rows) { core.events.publish(.unreadable(failure)) }
        return rows.count
    }
}
