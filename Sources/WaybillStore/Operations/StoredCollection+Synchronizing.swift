import Waybill
import WaybillSystem

extension StoredCollection {
    /// Sends pending writes that are due, and fetches changes to this collection only.
    ///
    /// The call does not wait for other collections' writes, and does not skip the backoff of failed writes. If the
    /// collection is already being fetched, the call joins that fetch, or fetches after it if only this call fetches
    /// the whole list.
    ///
    /// - Parameter whole: whether to fetch the whole list even where a ``Store/Delta`` would fetch only changes.
    /// - Returns: the progress or failure of this collection, and its remaining outbox entries.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/cancelled``.
    @discardableResult
    public func synchronize(whole: Bool = false) async throws(StoreError) -> SynchronizationReport {
        try await synchronizer.synchronize(context, whole: whole)
    }
}

extension StoredSingleton {
    /// Sends pending writes that are due, and fetches this value only.
    ///
    /// The call does not wait for other collections' writes, and does not skip the backoff of failed writes.
    ///
    /// - Returns: the progress or failure, and the remaining outbox entries.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/cancelled``.
    @discardableResult
    public func synchronize() async throws(StoreError) -> SynchronizationReport { try await collection.synchronize() }
}

// Items that the server forbids the user to read.
extension StoredCollection {
    /// Whether the server rejected the last read of an item with status 403.
    ///
    /// Such a row may be outdated. It stays marked as forbidden until a list or a read returns the item again. If the
    /// item is also missing from the list, its row is removed when the whole list is next fetched.
    ///
    /// - Parameter id: the id of the item, which can be temporary.
    /// - Returns: whether the last read was forbidden; false if there is no such row.
    /// - Throws: ``StoreError/database(_:)``.
    public func isForbidden(_ id: Element.ID) async throws(StoreError) -> Bool {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in
            guard let row = try connection.row(matching: text, in: number) else { return false }
            return try connection.first("SELECT 1 FROM forbidden WHERE row = ?", [.integer(row.number)]) { _ in true }
                ?? false
        }
    }
}
