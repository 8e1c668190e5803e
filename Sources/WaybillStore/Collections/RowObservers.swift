import Waybill
import WaybillSystem

/// A changed row, decoded once for all observers of a collection.
struct ChangedRow<Element: Sendable>: Sendable {
    let row: Int64

    /// The number of the commit that changed the row.
    let commit: Int64

    /// The item; nil if the row was removed or no longer decodes.
    let item: Element?
}

/// The observers of a collection's items or row states.
final class RowObservers<Element: Sendable>: Sendable {
    /// An observer's subscription, with the changes that it has not received yet.
    final class Subscription: Sendable {
        private struct State {
            var changes: [Int64: (commit: Int64, item: Element?)] = [:]
            var waiting = Waiters<Void>()
            var isEnded = false
        }

        private let state = Locked(State())

        /// Adds changes; a new change to a row replaces a pending one.
        func add(_ changes: [ChangedRow<Element>]) {
            wake { state in
                for change in changes { state.changes[change.row] = (change.commit, change.item) }
            }
        }

        /// Discards the pending changes.
        func clear() { state.withLock { $0.changes = [:] } }

        /// Removes the pending changes, and returns those made after a commit; does not wait.
        func take(after commit: Int64) -> [ChangedRow<Element>] { taken(after: commit).changes }

        private func taken(after commit: Int64) -> (changes: [ChangedRow<Element>], isEnded: Bool) {
            let (changes, isEnded) = state.withLock { state in
                defer { state.changes = [:] }
                return (state.changes, state.isEnded)
            }
            let later = changes.filter { $0.value.commit > commit }
            return (
                later.map { ChangedRow(row: $0.key, commit: $0.value.commit, item: $0.value.item) }
                    .sorted { $0.row < $1.row },
                isEnded
            )
        }

        /// Waits for changes made after a commit, and returns them, removing all pending changes; returns nil at the
        /// end.
        func next(after commit: Int64) async -> [ChangedRow<Element>]? {
            while true {
                let (taken, isEnded) = taken(after: commit)
                if !taken.isEmpty { return taken }
                if isEnded || Task.isCancelled { return nil }
                await state.wait(cancelled: ()) { state, waiter in
                    if !state.changes.isEmpty || state.isEnded { return () }
                    state.waiting.add(waiter)
                    return nil
                } removing: { state, id in
                    state.waiting.remove(id)
                }
            }
        }

        func end() { wake { $0.isEnded = true } }

        private func wake(_ change: (inout State) -> Void) {
            let waiting = state.withLock { state in
                change(&state)
                return state.waiting.removeAll()
            }
            for waiter in waiting { waiter.resume(returning: ()) }
        }
    }

    private struct Weak { weak var subscription: Subscription? }

    private let subscriptions = Locked<[ObjectIdentifier: Weak]>([:])

    func subscribe() -> Subscription {
        let new = Subscription()
        subscriptions.withLock { subscriptions in
            subscriptions = subscriptions.filter { $0.value.subscription != nil }
            subscriptions[ObjectIdentifier(new)] = Weak(subscription: new)
        }
        return new
    }

    fileprivate var current: [Subscription] { subscriptions.withLock { $0.values.compactMap(\.subscription) } }

    /// Whether there are any observers.
    var isObserved: Bool { subscriptions.withLock { $0.values.contains { $0.subscription != nil } } }

    /// Ends the sequences of all observers.
    func end() { for subscription in current { subscription.end() } }
}

extension RowObservers where Element: Codable {
    /// Publishes the changes of a commit to all observers.
    func publish(_ changes: RowChanges, _ coding: ItemCoding<Element>) {
        let subscriptions = current
        guard !subscriptions.isEmpty else { return }
        let changed = changes.changes.map { change in
            ChangedRow(
                row: change.row,
                commit: changes.commit,
                item: change.current.flatMap { try? coding.item($0.document) }
            )
        }
        for subscription in subscriptions { subscription.add(changed) }
    }
}

extension RowObservers<RowStatus> {
    /// Publishes the row states changed by a commit; nil for a row without pending writes.
    func publish(_ states: [Int64: RowStatus?]) {
        // Subscriptions begin between transactions, and accept changes from any commit.
        let changed = states.map { ChangedRow(row: $0.key, commit: 1, item: $0.value) }
        for subscription in current { subscription.add(changed) }
    }
}
