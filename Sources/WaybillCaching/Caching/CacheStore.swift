import Waybill
import WaybillSystem

/// The storage of a cache's entries.
protocol CacheStore: Sendable {
    /// Returns the responses for the given key.
    func responses(for key: CacheKey) async -> [StoredResponse]

    /// Stores a response, evicting others to make room, unless a more recent response with the same ID is stored.
    func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) async

    /// Records a use of a response.
    func touch(_ id: CacheEntryID) async

    func remove(_ id: CacheEntryID) async

    /// Removes the responses for the given URL, for all users.
    func removeAll(ofURL url: String) async

    func removeAll() async

    /// Returns the total size of all entries, in bytes.
    func byteCount() async -> Int
}
