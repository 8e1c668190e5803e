/// The state that a client keeps of an origin, or of a user there, and may forget.
package protocol BoundedState: Sendable {
    /// Whether it equals a new one.
    var isAsNew: Bool { get }

    /// Whether calls would have other results without it.
    var matters: Bool { get }
}

/// A store of states by their keys, such as origins, with a limit on their number.
///
/// States that equal a new one are not kept. If there are too many, those that do not matter are forgotten first, then
/// the least recently used.
package struct LRUStore<Key: Hashable & Sendable, State: BoundedState>: Sendable {
    private struct Entry: Sendable {
        let state: State
        let use: Int
    }

    /// The most states that are kept.
    package static var limit: Int { 1000 }

    private var entries: [Key: Entry] = [:]
    private var uses = 0

    package init() {}

    /// The number of states.
    package var count: Int { entries.count }

    /// Changes the state of a key, which is a new one if none is kept.
    package mutating func change<Result>(
        _ key: Key,
        new: @autoclosure () -> State,
        _ change: (inout State) -> Result
    ) -> Result {
        var state = entries[key]?.state ?? new()
        let result = change(&state)
        uses += 1
        entries[key] = state.isAsNew ? nil : Entry(state: state, use: uses)
        if entries.count > Self.limit { forget() }
        return result
    }

    private mutating func forget() {
        entries = entries.filter { $0.value.state.matters }
        // A tenth is left free, so that not each new key goes through all entries.
        let rest = Self.limit * 9 / 10
        guard entries.count > rest else { return }
        let recent = entries.sorted { $0.value.use > $1.value.use }.prefix(rest)
        entries = Dictionary(recent.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
