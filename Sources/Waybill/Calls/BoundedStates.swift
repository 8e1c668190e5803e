/// What a client keeps of an origin, or of a user there, and may forget.
package protocol BoundedState: Sendable {
    /// Whether it is as it was made.
    var isAsNew: Bool { get }

    /// Whether calls would fare quite differently without it.
    var matters: Bool { get }
}

/// States by what they are of, an origin for instance: no more than a number of them, however many origins a client is
/// led to.
///
/// One that is as it was made is not kept. Of too many, those that do not matter are forgotten first, then those that
/// have not been used for the longest time.
package struct BoundedStates<Key: Hashable & Sendable, State: BoundedState>: Sendable {
    private struct Entry: Sendable {
        let state: State
        let use: Int
    }

    /// How many are kept at most.
    package static var limit: Int { 1000 }

    private var entries: [Key: Entry] = [:]
    private var uses = 0

    package init() {}

    /// How many are kept.
    package var count: Int { entries.count }

    /// Uses the state of a key; a new one where none is kept.
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
        // With some room to spare, so that not each key that comes has all of them looked at.
        let rest = Self.limit * 9 / 10
        guard entries.count > rest else { return }
        let recent = entries.sorted { $0.value.use > $1.value.use }.prefix(rest)
        entries = Dictionary(recent.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
