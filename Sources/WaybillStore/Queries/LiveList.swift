import Waybill
import WaybillSystem

/// The rows of a query in order, updated as they change.
///
/// A change to a row takes O(log n) comparisons. For a limited query, the list contains the first rows and a reserve,
/// or all rows if the query cannot read them in order. Rows beyond the limit move up when others are removed.
struct LiveList<Element: Entity> {
    typealias Item = StoredQuery<Element>.Item
    typealias Difference = StoredChange<Element>.Difference

    private let query: StoredQuery<Element>

    /// The last commit included in the rows read from the database.
    private(set) var commit: Int64

    private var items: RowBlocks<Item>

    /// The items by row number.
    private var elements: [Int64: Element]

    /// The last row in the list; nil if the list contains all rows of the query.
    private var bound: Item?

    /// Whether the list contains only the first rows and a reserve; further rows are read when others are removed.
    private let isWindowed: Bool

    init(query: StoredQuery<Element>, _ snapshot: StoredQuery<Element>.Snapshot) {
        self.query = query
        commit = snapshot.commit
        items = RowBlocks(snapshot.items)
        elements = Dictionary(snapshot.items.map { ($0.row, $0.element) }) { first, _ in first }
        bound = snapshot.isComplete ? nil : snapshot.items.last
        isWindowed = snapshot.isWindowed
    }

    private var limit: Int { query.count ?? .max }

    /// The rows up to the limit.
    var visible: [StoredChange<Element>.Row] { items.prefix(limit).map { .init(id: $0.row, element: $0.element) } }

    /// Whether further rows must be read to reach the limit.
    var needsMore: Bool { bound != nil && items.count < limit }

    /// Applies changes to rows, and returns the differences in the visible rows.
    mutating func apply(_ changes: [ChangedRow<Element>]) -> [Difference] {
        var differences: [Difference] = []
        for change in changes {
            let new = change.item.flatMap { query.isIncluded($0) && isWithinBound(change.row, $0) ? $0 : nil }
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
        dropReserve()
        return differences
    }

    /// Drops rows beyond the reserve.
    private mutating func dropReserve() {
        guard isWindowed, items.count > 2 * query.window else { return }
        for item in items.removeLast(to: query.window) { elements[item.row] = nil }
        bound = items.last
    }

    /// Adds rows from a later snapshot, whose changes have already been applied, and returns the differences.
    mutating func extend(by snapshot: StoredQuery<Element>.Snapshot) -> [Difference] {
        var differences: [Difference] = []
        commit = snapshot.commit
        bound = snapshot.isComplete ? nil : snapshot.items.last
        for item in snapshot.items where elements[item.row] == nil {
            elements[item.row] = item.element
            insert(item, &differences)
        }
        return differences
    }

    /// Whether a row belongs in the list: it does not come after the bound.
    private func isWithinBound(_ row: Int64, _ element: Element) -> Bool {
        bound.map { !query.precedes($0, Item(row: row, element: element)) } ?? true
    }

    /// Returns the position at which to insert a row.
    private func insertionPosition(of item: Item) -> RowBlocks<Item>.Position {
        items.partitionPoint { query.precedes($0, item) }
    }

    /// Returns the position of a row in the list.
    private func position(of item: Item) -> RowBlocks<Item>.Position? {
        let position = insertionPosition(of: item)
        if items[position]?.row == item.row { return position }
        // The order is inconsistent, as with NaN or with strings that mix composed and combining accents.
        return items.firstPosition { $0.row == item.row }
    }

    private func row(_ item: Item) -> StoredChange<Element>.Row { .init(id: item.row, element: item.element) }

    private mutating func insert(_ item: Item, _ differences: inout [Difference]) {
        let position = insertionPosition(of: item)
        items.insert(item, at: position)
        guard position.index < limit else { return }
        // Remove the last row first, so that the list never exceeds the limit.
        if items.count > limit { differences.append(.remove(at: limit - 1)) }
        differences.append(.insert(row(item), at: position.index))
    }

    private mutating func remove(_ item: Item, _ differences: inout [Difference]) {
        guard let position = position(of: item) else { return }
        items.remove(at: position)
        guard position.index < limit else { return }
        differences.append(.remove(at: position.index))
        guard items.count >= limit else { return }
        differences.append(.insert(row(items[limit - 1]), at: limit - 1))
    }

    private mutating func replace(_ old: Item, by new: Item, _ differences: inout [Difference]) {
        guard let from = position(of: old) else { return }
        items.remove(at: from)
        let to = insertionPosition(of: new)
        items.insert(new, at: to)
        let newRow = row(new)
        switch (from.index < limit, to.index < limit) {
        case (true, true):
            differences.append(
                from.index == to.index
                    ? .update(newRow, at: to.index) : .move(newRow, from: from.index, to: to.index)
            )
        case (false, false): break
        case (true, false):
            differences.append(.remove(at: from.index))
            differences.append(.insert(row(items[limit - 1]), at: limit - 1))
        case (false, true):
            differences.append(.remove(at: limit - 1))
            differences.append(.insert(newRow, at: to.index))
        }
    }
}
