/// State that a client keeps for an origin, or for one of its users, and can discard.
package protocol BoundedState: Sendable {
    /// Whether the state equals its initial value.
    var isInitial: Bool { get }

    /// Whether discarding the state would change the results of calls.
    var isSignificant: Bool { get }
}

/// A least-recently-used cache of states, each stored for a key such as an origin.
///
/// States that equal their initial value are not stored. If the limit is exceeded, insignificant states are discarded
/// first, then the least recently used ones.
package struct LRUStore<Key: Hashable & Sendable, State: BoundedState>: Sendable {
    private struct Entry: Sendable {
        let state: State
        let use: Int
    }

    /// The maximum number of states.
    package static var limit: Int { 1000 }

    private var entries: [Key: Entry] = [:]
    private var uses = 0

    package init() {}

    /// The number of states.
    package var count: Int { entries.count }

    /// Changes the state for a key, starting from a new one if none is stored.
    package mutating func change<Result>(
        _ key: Key,
        new: @autoclosure () -> State,
        _ change: (inout State) -> Result
    ) -> Result {
        var state = entries[key]?.state ?? new()
        let result = change(&state)
        uses += 1
        entries[key] = state.isInitial ? nil : Entry(state: state, use: uses)
        if entries.count > Self.limit { evict() }
        return result
    }

    private mutating func evict() {
        entries = entries.filter { $0.value.state.isSignificant }
        // Frees a tenth of the capacity, so that not every new key scans all entries.
        let rest = Self.limit * 9 / 10
        guard entries.count > rest else { return }
        let recent = entries.sorted { $0.value.use > $1.value.use }.prefix(rest)
        entries = Dictionary(recent.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
