import Waybill
import WaybillSystem

extension StoreCore {
    /// Sets aside damaged rows, pending writes and requests, and reports each.
    func setAside(_ rows: Set<DamagedRow>) async throws(StoreError) {
        let users = registry.activeUsers
        let records = try await commit { (write) throws(StoreError) in try write.setAside(rows, of: users) }
        for record in records { events.publish(.damaged(record)) }
    }

    /// Returns the damaged records of the active users, in order of detection.
    func damagedRecords() async throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        let users = registry.activeUsers
        return try await read { (connection) throws(StoreError) in try connection.damagedRecords(of: users) }
    }

    /// Checks the whole file once after it was opened; does nothing if the store is read-only or in memory.
    ///
    /// - Throws: ``StoreError/database(_:)`` with the reason `corrupt` if there is damage that cannot be set aside.
    func inspect() async throws(StoreError) {
        guard database.path != nil, !isReadOnly, !isInspected else { return }
        let rows = try await database.read { (connection) throws(StoreError) -> Set<DamagedRow> in
            try connection.checkStructure(StoreFormat.tables)
            var rows: Set<DamagedRow> = []
            for table in CheckedTable.allCases where table.isDispensable {
                rows.formUnion(try connection.damagedRows(of: table))
            }
            // Reading the writes detects missing requests.
            _ = try connection.outboxWrites()
            return rows.union(connection.takeDamage())
        }
        if !rows.isEmpty { try await setAside(rows) }
        isInspected = true
    }
}
