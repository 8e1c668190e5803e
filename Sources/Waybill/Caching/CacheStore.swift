import Foundation

/// Where a cache keeps its entries.
protocol CacheStore: Sendable {
    /// The answers for a key.
    func responses(for key: CacheKey) async -> [StoredResponse]

    /// Keeps an answer, in place of one with the same id that is not more recent; others have to make room.
    func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) async

    /// Notes that an answer has been used.
    func touch(_ id: CacheEntryID) async

    func remove(_ id: CacheEntryID) async

    /// Removes the answers for a URL, whosever they are.
    func removeAll(ofURL url: String) async

    func removeAll() async

    /// The bytes that the entries take.
    func byteCount() async -> Int
}
