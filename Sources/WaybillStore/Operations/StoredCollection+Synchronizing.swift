import Waybill
import WaybillSystem

extension StoredCollection {
    /// Sends what may be sent of the outbox, and fetches what has changed in this collection alone.
    ///
    /// Writes of other collections do not hold it up, and waits after failures stay. If the collection is being fetched
    /// already, the call waits for that.
    ///
    /// - Parameter whole: whether the whole list is fetched where a ``Delta`` would ask for changes only.
    /// - Returns: the progress of this collection, or its failure, and its entries that stay in the outbox.
    /// - Throws: ``StoreError/database(_:)``, and ``StoreError/cancelled``.
    @discardableResult
    public func synchronize(whole: Bool = false) async throws(StoreError) -> SynchronizationReport {
        try await synchronizer.synchronize(context, whole: whole)
    }
}

extension StoredSingleton {
    /// Sends what may be sent of the outbox, and fetches this value alone.
    ///
    /// Writes of other collections do not hold it up, and waits after failures stay.
    ///
    /// - Returns: the progress or the failure, and the entries that stay in the outbox.
    /// - Throws: ``StoreError/database(_:)``, and ``StoreError/cancelled``.
    @discardableResult
    public func synchronize() async throws(StoreError) -> SynchronizationReport { try await collection.synchronize() }
}

// Items that the server forbids to read.
extension StoredCollection {
    /// Whether the server rejected the last read of the item with the status 403: the row may be out of date for good.
    ///
    /// It ends when a list or a read has the item again. What is gone from all lists, such as after a permission was
    /// taken away, is removed when the whole list is fetched.
    ///
    /// - Parameter id: the id; a temporary one too.
    /// - Returns: whether it has; false without such a row.
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
