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
/// when the store is closed, when it cannot be read, and when its task is cancelled.
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
                guard let (items, commit) = try? await query.snapshot() else { return nil }
                let list = LiveList(query: query, items: items, commit: commit)
                self.list = list
                return .rows(list.visible)
            }
            while let changes = await subscription.next(after: list?.commit ?? 0) {
                let differences = list?.apply(changes) ?? []
                if !differences.isEmpty { return .differences(differences) }
            }
            return nil
        }
    }
}

extension StoredQuery {
    /// The rows, and then what changes in them.
    public var changes: StoredChanges<Element> { StoredChanges(query: self) }
}

/// The rows of a query in their order, which follow what changes.
///
/// A change of a row costs O(log n) comparisons, and a move of memory.
struct LiveList<Element: Entity> {
    private let query: StoredQuery<Element>
    let commit: Int64

    /// All rows that fit, also those beyond the limit: they come up when others go.
    private var items: [StoredQuery<Element>.Item]

    /// The items by their rows.
    private var elements: [Int64: Element]

    init(query: StoredQuery<Element>, items: [StoredQuery<Element>.Item], commit: Int64) {
        self.query = query
        self.items = items
        self.commit = commit
        elements = Dictionary(items.map { ($0.row, $0.element) }) { first, _ in first }
    }

    private var limit: Int { query.count ?? .max }

    /// The rows up to the limit.
    var visible: [StoredChange<Element>.Row] { items.prefix(limit).map { .init(id: $0.row, element: $0.element) } }

    /// Takes changes of rows, and returns the differences in the visible rows.
    mutating func apply(_ changes: [ChangedRow<Element>]) -> [StoredChange<Element>.Difference] {
        var differences: [StoredChange<Element>.Difference] = []
        for change in changes {
            let new = change.item.flatMap { query.isIncluded($0) ? $0 : nil }
            let old = elements[change.row]
            elements[change.row] = new
            switch (old, new) {
            case (nil, nil): continue
            case (nil, let new?): insert(.init(row: change.row, element: new), &differences)
            case (let old?, nil): remove(.init(row: change.row, element: old), &differences)
            case (let old?, let new?):
                replace(.init(row: change.row, element: old), by: .init(row: change.row, element: new), &differences)
            }
        }
        return differences
    }

    /// Returns the index of the first row that is not before another one.
    private func index(of item: StoredQuery<Element>.Item) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if query.precedes(items[middle], item) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(
        _ item: StoredQuery<Element>.Item,
        _ differences: inout [StoredChange<Element>.Difference]
    ) {
        let index = index(of: item)
        items.insert(item, at: index)
        guard index < limit else { return }
        // The row that was the last one goes first, so that there are never more than the limit.
        if items.count > limit { differences.append(.remove(at: limit - 1)) }
        differences.append(.insert(.init(id: item.row, element: item.element), at: index))
    }

    private mutating func remove(
        _ item: StoredQuery<Element>.Item,
        _ differences: inout [StoredChange<Element>.Difference]
    ) {
        let index = index(of: item)
        guard index < items.count, items[index].row == item.row else { return }
        items.remove(at: index)
        guard index < limit else { return }
        differences.append(.remove(at: index))
        guard items.count >= limit else { return }
        let last = items[limit - 1]
        differences.append(.insert(.init(id: last.row, element: last.element), at: limit - 1))
    }

    private mutating func replace(
        _ old: StoredQuery<Element>.Item,
        by new: StoredQuery<Element>.Item,
        _ differences: inout [StoredChange<Element>.Difference]
    ) {
        let from = index(of: old)
        guard from < items.count, items[from].row == old.row else { return }
        items.remove(at: from)
        let to = index(of: new)
        items.insert(new, at: to)
        let row = StoredChange<Element>.Row(id: new.row, element: new.element)
        switch (from < limit, to < limit) {
        case (true, true): differences.append(from == to ? .update(row, at: to) : .move(row, from: from, to: to))
        case (false, false): break
        case (true, false):
            let last = items[limit - 1]
            differences.append(.remove(at: from))
            differences.append(.insert(.init(id: last.row, element: last.element), at: limit - 1))
        case (false, true):
            differences.append(.remove(at: limit - 1))
            differences.append(.insert(row, at: to))
        }
    }
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
