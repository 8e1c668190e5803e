import Waybill
import WaybillSystem

/// A store that keeps entries in memory.
final class MemoryStore: CacheStore {
    private struct State: Sendable {
        var index: CacheIndex
        var responses: [CacheEntryID: StoredResponse] = [:]

        mutating func remove(_ id: CacheEntryID) {
            index.remove(id)
            responses[id] = nil
        }
    }

    private let state: Locked<State>

    init(limit: Int) { state = Locked(State(index: CacheIndex(limit: limit))) }

    func responses(for key: CacheKey) -> [StoredResponse] {
        state.withLock { state in state.index.entries(of: key).compactMap { state.responses[$0] } }
    }

    func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) {
        state.withLock { state in
            if let other = state.responses[id], response.isSuperseded(by: other, at: now) { return }
            state.responses[id] = response
            for evicted in state.index.insert(id, bytes: response.byteCount) { state.responses[evicted] = nil }
        }
    }

    func touch(_ id: CacheEntryID) { state.withLock { $0.index.touch(id) } }

    func remove(_ id: CacheEntryID) { state.withLock { $0.remove(id) } }

    func removeAll(ofURL url: String) {
        state.withLock { state in
            for id in state.index.entries(ofURL: url) { state.remove(id) }
        }
    }

    func removeAll() {
        state.withLock { $0 = State(index: CacheIndex(limit: $0.index.limit)) }
    }

    func byteCount() -> Int { state.withLock { $0.index.byteCount } }
}
