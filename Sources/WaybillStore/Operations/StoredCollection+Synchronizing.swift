import Waybill
import WaybillSystem

extension StoredCollection {
    /// Sends the writes in the outbox that are due, and fetches the changes of this collection only.
    ///
    /// The call does not wait for the writes of other collections, and does not skip the backoff of failed writes. If
    /// the collection is already being fetched, the call joins that fetch, or fetches after it if only this call
    /// fetches the whole list.
    ///
    /// - Parameter whole: whether to fetch the whole list even where a ``Store/Delta`` would fetch only changes.
    /// - Returns: the progress or failure of this collection, and its entries that are still in the outbox.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/cancelled``.
    @discardableResult
    public func synchronize(whole: Bool = false) async throws(StoreError) -> SynchronizationReport {
        try await synchronizer.synchronize(context, whole: whole)
    }
}

extension StoredSingleton {
    /// Sends the writes in the outbox that are due, and fetches this value only.
    ///
    /// The call does not wait for the writes of other collections, and does not skip the backoff of failed writes.
    ///
    /// - Returns: the progress or failure, and the entries that are still in the outbox.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/cancelled``.
    @discardableResult
    public func synchronize() async throws(StoreError) -> SynchronizationReport { try await collection.synchronize() }
}

// Items that the server does not allow the user to read.
extension StoredCollection {
    /// Whether the server rejected the last read of an item with status 403.
    ///
    /// The row may be outdated. It is no longer marked as forbidden after a list or a read has returned the item again.
    /// An item that has disappeared from the list, for example because a permission was revoked, is removed when the
    /// whole list is fetched.
    ///
    /// - Parameter id: the id of the item, which can be temporary.
    /// - Returns: whether the last read was forbidden; false if there is no such row.
    /// - Throws: ``StoreError/database(_:)``.
    public func isForbidden(_ id: Element.ID) async throws(StoreError) -> Bool {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in
            guard let row = try connection.row(known: text, in: number) else { return false }
            return try connection.first("SELECT 1 FROM forbidden WHERE row = ?", [.integer(row.number)]) { _ in true }
                ?? false
        }
    }
}
