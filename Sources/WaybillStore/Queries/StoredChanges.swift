import Waybill
import WaybillSystem

/// A change to the rows of a query.
///
/// Apply differences in sequence: each index refers to the list as the preceding differences left it.
public enum StoredChange<Element: Sendable>: Sendable {
    /// A row, whose identity stays the same when the server assigns an id.
    public struct Row: Sendable, Identifiable {
        /// The identity of the row within its store.
        public let id: Int64

        /// The item.
        public let element: Element
    }

    /// A difference between two states of a list.
    public enum Difference: Sendable {
        /// A row was inserted at an index.
        case insert(Row, at: Int)
        /// The row at an index was removed.
        case remove(at: Int)
        /// The row at an index has changed in place.
        case update(Row, at: Int)
        /// The row at an index has changed and moved to another index.
        case move(Row, from: Int, to: Int)
    }

    /// The initial rows, as the first element of the sequence.
    case rows([Row])
    /// The differences since the previous element.
    case differences([Difference])
}

/// The rows of a query, followed by their changes.
///
/// No change between the initial rows and the first difference is lost. A slow reader receives combined changes.
/// The sequence ends if the store is closed or switched to another user, if the store cannot be read, or if the task is
/// cancelled.
public struct StoredChanges<Item: Entity>: AsyncSequence, Sendable {
    let query: StoredQuery<Item>

    /// Creates an iterator, whose first element is the rows as of the first call to `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

    /// An iterator over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let query: StoredQuery<Item>
        private var list: LiveList<Item>?
        private var subscription: RowObservers<Item>.Subscription?

        init(query: StoredQuery<Item>) { self.query = query }

        /// Returns the initial rows, and then the next change; returns nil at the end.
        public mutating func next() async -> StoredChange<Item>? {
            guard let subscription else {
                let subscription = query.context.observers.subscribe()
                self.subscription = subscription
                guard let snapshot = try? await query.snapshot() else { return nil }
                let list = LiveList(query: query, snapshot)
                self.list = list
                return .rows(list.visible)
            }
            while let changes = await subscription.next(after: list?.commit ?? 0),
                query.core.registry.isActive(query.context)
            {
                var differences = list?.apply(changes) ?? []
                while list?.needsMore ?? false {
                    guard let more = await extend(by: subscription) else { return nil }
                    differences += more
                }
                if !differences.isEmpty { return .differences(differences) }
            }
            return nil
        }

        /// Reads further rows of a limited query after others were removed.
        private mutating func extend(
            by subscription: RowObservers<Item>.Subscription
        ) async -> [StoredChange<Item>.Difference]? {
            // Changes are published after their commit and before the next transaction. So after an empty transaction,
            // all changes in the snapshot have been published.
            guard let commit = list?.commit, let snapshot = try? await query.snapshot(),
                (try? await query.core.database.write { (_) throws(StoreError) -> Bool in true }) == true
            else { return nil }
            let changes = subscription.take(after: commit)
            var differences = list?.apply(changes.filter { $0.commit <= snapshot.commit }) ?? []
            differences += list?.extend(by: snapshot) ?? []
            differences += list?.apply(changes.filter { $0.commit > snapshot.commit }) ?? []
            return differences
        }
    }
}

extension StoredQuery {
    /// The rows of the query, followed by their changes.
    public var changes: StoredChanges<Element> { StoredChanges(query: self) }
}

extension Array {
    /// Applies a difference to a list of rows.
    ///
    /// A difference whose index is out of range belongs to a different list, and is ignored.
    ///
    /// - Parameter difference: the difference, in the order of ``StoredChange/differences(_:)``.
    public mutating func apply<Item>(_ difference: StoredChange<Item>.Difference)
    where Element == StoredChange<Item>.Row {
        switch difference {
        case .insert(let row, let index) where index <= count: insert(row, at: index)
        case .remove(let index) where index < count: remove(at: index)
        case .update(let row, let index) where index < count: self[index] = row
        case .move(let row, let from, let to) where from < count && to < count:
            remove(at: from)
            insert(row, at: to)
        default: break
        }
    }
}
