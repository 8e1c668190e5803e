import Waybill
import WaybillSystem

// The entries of a singleton with its type, and its state.
extension StoredSingleton {
    /// Returns the entries of the singleton, in the order of the writes.
    ///
    /// - Throws: ``StoreError/database(_:)``. A value that does not decode is the error of its property.
    public func entries() async throws(StoreError) -> [OutboxEntry.Typed<Element>] {
        try await collection.entries().map { $0.map(\.value) }
    }

    /// Decides on a conflict: the value becomes this one, over the server's version.
    ///
    /// Members of the server's version that the type lacks stay.
    ///
    /// - Parameters:
    ///   - id: the entry.
    ///   - value: the value; nil to delete it.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry is not in conflict, or not of this singleton;
    ///   ``StoreError/item(_:)`` if the server's version does not decode: ``Outbox/resolve(_:with:)`` takes JSON.
    public func resolve(_ id: OutboxEntry.ID, with value: Element?) async throws(StoreError) {
        try await collection.resolve(id, with: value.map(SingleItem.init))
    }

    /// The state of the value if it has writes that the server does not have yet; nil without such writes.
    public var state: OutboxEntry.RowState? {
        get async throws(StoreError) { try await collection.state(of: SingleItem<Element>.only) }
    }

    /// The state of the value, and each further one; nil without pending writes.
    public var states: States { States(changes: collection.stateChanges) }

    fileprivate typealias Changes = StoredQuery<SingleItem<Element>>.StateChanges

    /// The states of a singleton; a slow reader gets the last one.
    public struct States: AsyncSequence, Sendable {
        fileprivate let changes: Changes

        /// Begins with the state as it is at the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

        /// Iterates states.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var changes: Changes.Iterator

            /// Returns the next state; nil at the end.
            public mutating func next() async -> OutboxEntry.RowState?? {
                guard let states = await changes.next() else { return nil }
                return .some(states.values.first)
            }
        }
    }
}
