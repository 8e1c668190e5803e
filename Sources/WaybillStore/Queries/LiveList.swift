import Waybill
import WaybillSystem

/// The rows of a query in order, updated as they change.
///
/// A change to a row takes O(log n) comparisons. For a limited query, the list holds the first rows and a reserve, or
/// all rows if the query cannot find them in order. Rows beyond the limit move up when others are removed.
struct LiveList<Element: Entity> {
    typealias Item = StoredQuery<Element>.Item
    typealias Difference = StoredChange<Element>.Difference

    private let query: StoredQuery<Element>

    /// The last commit included in the rows that were read.
    private(set) var commit: Int64

    private var items: RowBlocks<Item>

    /// The items by row number.
    private var elements: [Int64: Element]

    /// The last row of the query that the list holds; nil if it holds all rows.
    private var bound: Item?

    /// Whether further rows can be read after others were removed.
    private let isPart: Bool

    init(query: StoredQuery<Element>, _ snapshot: StoredQuery<Element>.Snapshot) {
        self.query = query
        commit = snapshot.commit
        items = RowBlocks(snapshot.items)
        elements = Dictionary(snapshot.items.map { ($0.row, $0.element) }) { first, _ in first }
        bound = snapshot.isComplete ? nil : snapshot.items.last
        isPart = snapshot.isPart
    }

    private var limit: Int { query.count ?? .max }

    /// The rows up to the limit.
    var visible: [StoredChange<Element>.Row] { items.prefix(limit).map { .init(id: $0.row, element: $0.element) } }

    /// Whether rows within the limit must be read.
    var needsMore: Bool { bound != nil && items.count < limit }

    /// Applies changes to rows, and returns the differences in the visible rows.
    mutating func apply(_ changes: [ChangedRow<Element>]) -> [Difference] {
        var differences: [Difference] = []
        for change in changes {
            let new = change.item.flatMap { query.isIncluded($0) && isInside(change.row, $0) ? $0 : nil }
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
        guard isPart, items.count > 2 * query.window else { return }
        for item in items.removeLast(to: query.window) { elements[item.row] = nil }
        bound = items.last
    }

    /// Adds rows from a later snapshot whose changes were already applied, and returns the differences.
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

    /// Whether a row is within the part that the list holds.
    private func isInside(_ row: Int64, _ element: Element) -> Bool {
        bound.map { !query.precedes($0, Item(row: row, element: element)) } ?? true
    }

    /// Returns the insertion position of a row.
    private func place(of item: Item) -> RowBlocks<Item>.Place { items.place { query.precedes($0, item) } }

    /// Returns the position of a row in the list.
    private func place(ofListed item: Item) -> RowBlocks<Item>.Place? {
        let place = place(of: item)
        if items[place]?.row == item.row { return place }
        // The order is inconsistent, as with NaN or with strings that mix composed and combining accents.
        return items.firstPlace { $0.row == item.row }
    }

    private func shown(_ item: Item) -> StoredChange<Element>.Row { .init(id: item.row, element: item.element) }

    private mutating func insert(_ item: Item, _ differences: inout [Difference]) {
        let place = place(of: item)
        items.insert(item, at: place)
        guard place.index < limit else { return }
        // Remove the last row first, so that the list never exceeds the limit.
        if items.count > limit { differences.append(.remove(at: limit - 1)) }
        differences.append(.insert(shown(item), at: place.index))
    }

    private mutating func remove(_ item: Item, _ differences: inout [Difference]) {
        guard let place = place(ofListed: item) else { return }
        items.remove(at: place)
        guard place.index < limit else { return }
        differences.append(.remove(at: place.index))
        guard items.count >= limit else { return }
        differences.append(.insert(shown(items[limit - 1]), at: limit - 1))
    }

    private mutating func replace(_ old: Item, by new: Item, _ differences: inout [Difference]) {
        guard let from = place(ofListed: old) else { return }
        items.remove(at: from)
        let to = place(of: new)
        items.insert(new, at: to)
        let row = shown(new)
        switch (from.index < limit, to.index < limit) {
        case (true, true):
            differences.append(
                from.index == to.index
                    ? .update(row, at: to.index) : .move(row, from: from.index, to: to.index)
            )
        case (false, false): break
        case (true, false):
            differences.append(.remove(at: from.index))
            differences.append(.insert(shown(items[limit - 1]), at: limit - 1))
        case (false, true):
            differences.append(.remove(at: limit - 1))
            differences.append(.insert(row, at: to.index))
        }
    }
}
