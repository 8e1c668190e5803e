import Waybill
import WaybillSystem

// A singleton's outbox entries and their states.
extension StoredSingleton {
    /// Returns this singleton's outbox entries, in the order of the writes.
    ///
    /// - Throws: ``StoreError/database(_:)``. Decoding errors are thrown by the properties of an entry.
    public func entries() async throws(StoreError) -> [OutboxEntry.Typed<Element>] {
        try await collection.entries().map { $0.map(\.value) }
    }

    /// Resolves a conflict by overwriting the server's version with a value.
    ///
    /// Members of the server's version that `Element` does not declare are kept.
    ///
    /// - Parameters:
    ///   - id: the entry in conflict.
    ///   - value: the resolved value; nil to delete it.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry is not in conflict or belongs to another collection;
    ///   ``StoreError/item(_:)`` if the server's version does not decode. In that case, pass JSON to
    ///   ``Store/Outbox/resolve(_:with:)`` instead.
    public func resolve(_ id: OutboxEntry.ID, with value: Element?) async throws(StoreError) {
        try await collection.resolve(id, with: value.map(SingleItem.init))
    }

    /// The state of the value's pending writes; nil if it has none.
    public var state: OutboxEntry.RowState? {
        get async throws(StoreError) { try await collection.state(of: SingleItem<Element>.onlyID) }
    }

    /// The state of the value's pending writes, followed by each new state; nil while there are no pending writes.
    public var states: States { States(changes: collection.stateChanges) }

    fileprivate typealias Changes = StoredQuery<SingleItem<Element>>.StateChanges

    /// The states of a singleton; a slow reader receives only the latest.
    public struct States: AsyncSequence, Sendable {
        fileprivate let changes: Changes

        /// Creates an iterator that starts with the state at the first call to `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

        /// An iterator over the states.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var changes: Changes.Iterator

            /// Returns the next state, `.some(nil)` if there are no pending writes, or nil at the end of the sequence.
            public mutating func next() async -> OutboxEntry.RowState?? {
                guard let states = await changes.next() else { return nil }
                return .some(states.values.first)
            }
        }
    }
}
