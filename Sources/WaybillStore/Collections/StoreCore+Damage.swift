import Waybill
import WaybillSystem

extension StoreCore {
    /// Sets aside damaged rows, pending writes and requests, and reports each.
    func setAside(_ places: Set<DamagedPlace>) async throws(StoreError) {
        let users = registry.servedUsers
        let records = try await commit { (write) throws(StoreError) in try write.setAside(places, of: users) }
        for record in records { events.publish(.damaged(record)) }
    }

    /// Returns the damaged records of the served users, in order of detection.
    func damagedRecords() async throws(StoreError) -> [SynchronizationReport.DamagedRecord] {
        let users = registry.servedUsers
        return try await read { (connection) throws(StoreError) in try connection.damagedRecords(of: users) }
    }

    /// Checks the whole file, unless it has been checked since it was opened.
    ///
    /// - Throws: ``StoreError/database(_:)`` with the reason `corrupt` if there is damage that cannot be set aside.
    func inspect() async throws(StoreError) {
        guard database.path != nil, !isReadOnly, !isInspected else { return }
        let places = try await database.read { (connection) throws(StoreError) -> Set<DamagedPlace> in
            try connection.checkStructure(StoreFormat.tables)
            var places: Set<DamagedPlace> = []
            for table in CheckedTable.allCases where table.isDispensable {
                places.formUnion(try connection.damagedRows(of: table))
            }
            // Reading the writes detects missing requests.
            _ = try connection.outboxWrites()
            return places.union(connection.takeDamage())
        }
        if !places.isEmpty { try await setAside(places) }
        isInspected = true
    }
}
