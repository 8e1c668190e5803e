import Waybill
import WaybillSystem

/// The rows of a collection that a condition fits, in an order.
///
/// ```swift
/// let cheap = products.filter(\.category, equals: "lamp").filter { $0.price < 50 }.sorted(by: \.name).limit(20)
/// let list = try await cheap.elements()
/// for await change in cheap.changes { … }
/// ```
///
/// A query is a value, and reads nothing until it is asked. An index that is declared for a property finds its rows
/// without a scan, and a condition without one decodes every row. Without an order the rows are in the order in which
/// the store got them. Rows that do not decode are left out; see ``StoredCollection/unreadable()``.
public struct StoredQuery<Element: Entity>: Sendable {
    /// A row with its item.
    struct Item: Sendable {
        let row: Int64
        let element: Element
    }

    /// The rows that an index finds.
    private struct Lookup: Sendable {
        let path: any PartialKeyPath<Element> & Sendable
        let lower: IndexValue?
        let upper: IndexValue?
        let isUpperIncluded: Bool
    }

    let context: CollectionContext<Element>
    let core: StoreCore
    private var lookup: Lookup?
    private var conditions: [@Sendable (Element) -> Bool] = []
    private var order: (@Sendable (Element, Element) -> Bool)?
    private(set) var count: Int?

    init(_ context: CollectionContext<Element>, _ core: StoreCore) {
        self.context = context
        self.core = core
    }

    // MARK: Conditions

    /// Returns the rows for which a condition holds too.
    ///
    /// - Parameter isIncluded: the condition; it is called on a thread of the store's.
    /// - Returns: the query with the condition.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> Self {
        var query = self
        query.conditions.append(isIncluded)
        return query
    }

    /// Returns the rows for which a predicate holds too; a row for which it throws is left out.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public func filter(_ predicate: Predicate<Element>) -> Self {
        filter { (try? predicate.evaluate($0)) ?? false }
    }

    /// Returns the rows with a value of a property too, by its index if one is declared.
    public func filter<Value: Indexable & Equatable>(
        _ path: KeyPath<Element, Value> & Sendable,
        equals value: Value
    ) -> Self {
        let indexed = Value.indexValue(of: value)
        return found(by: Lookup(path: path, lower: indexed, upper: indexed, isUpperIncluded: true))
            .filter { $0[keyPath: path] == value }
    }

    /// Returns the rows with a value of a property in a range too, by its index if one is declared.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: Range<Value>
    ) -> Self {
        found(
            by: Lookup(
                path: path,
                lower: Value.indexValue(of: range.lowerBound),
                upper: Value.indexValue(of: range.upperBound),
                isUpperIncluded: false
            )
        ).filter { range.contains($0[keyPath: path]) }
    }

    /// Returns the rows with a value of a property in a range too, by its index if one is declared.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: ClosedRange<Value>
    ) -> Self {
        found(
            by: Lookup(
                path: path,
                lower: Value.indexValue(of: range.lowerBound),
                upper: Value.indexValue(of: range.upperBound),
                isUpperIncluded: true
            )
        ).filter { range.contains($0[keyPath: path]) }
    }

    /// Uses the first look-up for which there is an index; the conditions hold for all of them.
    private func found(by new: Lookup) -> Self {
        let isDeclared = context.clauses.indexes.contains { $0.path == new.path }
        guard lookup == nil, isDeclared else { return self }
        var query = self
        query.lookup = new
        return query
    }

    // MARK: Order

    /// Returns the rows in the order of a property; rows with equal values are in the order of the query before.
    public func sorted<Value: Comparable & Sendable>(
        by path: KeyPath<Element, Value> & Sendable,
        _ direction: SortOrder = .forward
    ) -> Self {
        var query = self
        let isForward = direction == .forward
        let isBefore: @Sendable (Value, Value) -> Bool = { isForward ? $0 < $1 : $0 > $1 }
        query.order = { isBefore($0[keyPath: path], $1[keyPath: path]) }
        return query
    }

    /// Returns the first rows alone.
    ///
    /// - Parameter count: the number of rows; at least 0.
    /// - Returns: the query with the limit.
    public func limit(_ count: Int) -> Self {
        var query = self
        query.count = max(0, count)
        return query
    }

    // MARK: Reading

    /// Returns the items.
    ///
    /// - Throws: ``StoreError``.
    public func elements() async throws(StoreError) -> [Element] {
        try await snapshot().items.prefix(count ?? .max).map(\.element)
    }

    /// Returns the first item; nil if the query has no row.
    ///
    /// - Throws: ``StoreError``.
    public func first() async throws(StoreError) -> Element? { try await limit(1).elements().first }

    /// Returns the number of items, which a limit bounds.
    ///
    /// - Throws: ``StoreError``.
    public func count() async throws(StoreError) -> Int {
        if conditions.isEmpty, lookup == nil {
            let number = try await context.number(in: core)
            let rows = try await core.read { (connection) throws(StoreError) in
                Int(
                    try connection.first(
                        "SELECT count(*) FROM rows WHERE collection = ? AND is_deleted = 0",
                        [.integer(number)]
                    ) { $0.integer(0) } ?? 0
                )
            }
            return min(rows, count ?? .max)
        }
        return min(try await snapshot().items.count, count ?? .max)
    }

    /// Returns the items in their order, without the limit, and the number of the last commit that they have in them.
    func snapshot() async throws(StoreError) -> (items: [Item], commit: Int64) {
        let number = try await context.number(in: core)
        // Without an order or a condition, no more rows are read than are asked for.
        let limit = order == nil && conditions.isEmpty ? count : nil
        return try await core.read { (connection) throws(StoreError) in
            var items: [Item] = []
            let (sql, values) = self.statement(in: number)
            try connection.forEach(sql, values) { (row) throws(StoreError) -> Bool in
                if let limit, items.count == limit { return false }
                let element = row.withBytes(1) { try? self.context.coding.item(Data($0)) }
                if let element, self.isIncluded(element) {
                    items.append(Item(row: row.integer(0) ?? 0, element: element))
                }
                return true
            }
            if self.order != nil { items.sort { self.precedes($0, $1) } }
            return (items, try connection.counter("clock"))
        }
    }

    private func statement(in number: Int64) -> (String, [DatabaseValue]) {
        guard let lookup, let index = context.indexNumber(lookup.path) else {
            return (
                "SELECT number, document FROM rows WHERE collection = ? AND is_deleted = 0 ORDER BY number",
                [.integer(number)]
            )
        }
        var values: [DatabaseValue] = [.integer(index)]
        var condition = ""
        if let lower = lookup.lower {
            condition += " AND value >= ?"
            values.append(lower.key)
        }
        if let upper = lookup.upper {
            condition += lookup.isUpperIncluded ? " AND value <= ?" : " AND value < ?"
            values.append(upper.key)
        }
        let sql = """
            SELECT number, document FROM rows WHERE is_deleted = 0 AND number IN
                (SELECT row FROM index_entries WHERE "index" = ?\(condition)) ORDER BY number
            """
        return (sql, values)
    }

    /// Whether a row with this item belongs to the query.
    func isIncluded(_ element: Element) -> Bool { conditions.allSatisfy { $0(element) } }

    /// Whether one row is before another: by the order, and of equal ones by their numbers.
    func precedes(_ left: Item, _ right: Item) -> Bool {
        if let order {
            if order(left.element, right.element) { return true }
            if order(right.element, left.element) { return false }
        }
        return left.row < right.row
    }
}
