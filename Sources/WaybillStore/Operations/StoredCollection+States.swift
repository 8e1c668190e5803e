import Waybill
import WaybillSystem

// The states of rows with pending writes.
extension StoredCollection {
    /// Returns the state of an item's pending writes.
    ///
    /// - Parameter id: the id of the item, which can be temporary.
    /// - Returns: the state; nil if there is no such row or it has no pending writes.
    /// - Throws: ``StoreError/database(_:)``.
    public func state(of id: Element.ID) async throws(StoreError) -> OutboxEntry.RowState? {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) -> OutboxEntry.RowState? in
            guard let row = try connection.row(matching: text, in: number), row.pending > 0 else { return nil }
            return OutboxEntry.RowState(try connection.outboxWrites(ofRow: row.number).map(\.phase))
        }
    }

    /// Returns the states of all rows with pending writes, without reading other rows.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func states() async throws(StoreError) -> StoredQuery<Element>.States {
        StoredQuery.States(try await context.states(in: core))
    }

    /// The states of all rows with pending writes, initially and after each change, even if no item changes.
    ///
    /// ```swift
    /// for await states in products.stateChanges { badge = states.values.count }
    /// ```
    ///
    /// States are tracked only while a sequence is being read. For a view, use ``ObservedRows/states``.
    public var stateChanges: StoredQuery<Element>.StateChanges { query.stateChanges }
}
