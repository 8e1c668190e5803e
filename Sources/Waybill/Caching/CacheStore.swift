import WaybillSystem

/// The storage of a cache's entries.
protocol CacheStore: Sendable {
    /// Returns the responses for a key.
    func responses(for key: CacheKey) async -> [StoredResponse]

    /// Stores a response, unless one with the same id is more recent, and evicts others for its bytes.
    func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) async

    /// Records a use of a response.
    func touch(_ id: CacheEntryID) async

    func remove(_ id: CacheEntryID) async

    /// Removes the responses for a URL, of all users.
    func removeAll(ofURL url: String) async

    func removeAll() async

    /// Returns the number of bytes that the entries take.
    func byteCount() async -> Int
}
