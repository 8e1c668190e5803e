import Waybill
import WaybillSystem

/// A change of the rows of a query.
///
/// The differences of one change hold one after the other: each index is that of the list as the ones before left it.
public enum StoredChange<Element: Sendable>: Sendable {
    /// A row, with an identity that it keeps when its server gives the id.
    public struct Row: Sendable, Identifiable {
        /// The identity, in this store.
        public let id: Int64

        /// The item.
        public let element: Element
    }

    /// One difference between two states of the list.
    public enum Difference: Sendable {
        /// A row is new at an index.
        case insert(Row, at: Int)
        /// The row at an index is gone.
        case remove(at: Int)
        /// The row at an index has changed, and stays there.
        case update(Row, at: Int)
        /// The row at an index has changed, and goes to another one.
        case move(Row, from: Int, to: Int)
    }

    /// The rows, as the first value of the sequence.
    case rows([Row])
    /// The changes since the value before.
    case differences([Difference])
}

/// The rows of a query, and then what changes in them.
///
/// The first value comes without a gap before the others. A slow reader gets several changes as one. The sequence ends
/// when the store is closed or becomes another user's, if it cannot be read, and if its task is cancelled.
public struct StoredChanges<Item: Entity>: AsyncSequence, Sendable {
    let query: StoredQuery<Item>

    /// Begins with the rows as they are at the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

    /// Iterates changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let query: StoredQuery<Item>
        private var list: LiveList<Item>?
        private var subscription: RowObservers<Item>.Subscription?

        init(query: StoredQuery<Item>) { self.query = query }

        /// Returns the rows, and then the next change; nil at the end.
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
                query.core.registry.isServed(query.context)
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

        /// Reads more rows of a limited query, of which others have gone.
        private mutating func extend(
            by subscription: RowObservers<Item>.Subscription
        ) async -> [StoredChange<Item>.Difference]? {
            // Changes are shown on the writer's thread, after their commit and before the next transaction. When an
            // empty one has ended, all those of the snapshot have been shown.
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
    /// The rows, and then what changes in them.
    public var changes: StoredChanges<Element> { StoredChanges(query: self) }
}

extension Array {
    /// Makes a difference in a list of rows.
    ///
    /// An index that the list does not have is passed over: the difference is of another list.
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
