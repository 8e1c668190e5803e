import Waybill
import WaybillSystem

// Whether the server has what a row shows.
extension StoredCollection {
    /// Returns the state of an item with writes that its server does not have yet.
    ///
    /// - Parameter id: the id; a temporary one too.
    /// - Returns: the state; nil without pending writes, or without such a row.
    /// - Throws: ``StoreError/database(_:)``.
    public func state(of id: Element.ID) async throws(StoreError) -> OutboxEntry.RowState? {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) -> OutboxEntry.RowState? in
            guard let row = try connection.row(known: text, in: number), row.pending > 0 else { return nil }
            return OutboxEntry.RowState(try connection.outboxWrites(ofRow: row.number).map(\.phase))
        }
    }

    /// Returns the states of the rows with writes that their server does not have yet.
    ///
    /// The rows without pending writes are not read.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func states() async throws(StoreError) -> StoredQuery<Element>.States {
        StoredQuery.States(try await context.states(in: core))
    }

    /// The states of the rows with pending writes, and then each further ones, also if no item changes.
    ///
    /// ```swift
    /// for await states in products.stateChanges { badge = states.values.count }
    /// ```
    ///
    /// The states are kept up to date only while a sequence is read. ``ObservedRows/states`` has them for a view.
    public var stateChanges: StoredQuery<Element>.StateChanges { query.stateChanges }
}
