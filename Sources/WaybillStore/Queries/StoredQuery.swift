import Waybill
import WaybillSystem

/// A query for the rows of a collection that satisfy conditions, in a given order.
///
/// ```swift
/// let cheap = products.filter(\.category, equals: "lamp").filter { $0.price < 50 }.sorted(by: \.name).limit(20)
/// let list = try await cheap.elements()
/// for await change in cheap.changes { … }
/// ```
///
/// A query is a value, and reads nothing until it is executed. With a declared index on a property, matching rows are
/// found without a scan; for a condition without an index, every row is decoded. Without an order, rows are in the
/// order in which the store first received them. Rows that do not decode are omitted; see
/// ``StoredCollection/unreadable()``.
public struct StoredQuery<Element: Entity>: Sendable {
    /// A row with its item.
    struct Item: Sendable {
        let row: Int64
        let element: Element
    }

    /// A lookup of rows in an index.
    struct Lookup: Sendable {
        let path: any PartialKeyPath<Element> & Sendable
        let range: IndexRange

        /// Whether the rows are exactly those that satisfy the condition.
        let isExact: Bool
    }

    /// The order of the rows.
    struct Order: Sendable {
        let isBefore: @Sendable (Element, Element) -> Bool
        let path: any PartialKeyPath<Element> & Sendable
        let isForward: Bool
        let indexOrder: IndexValue.Order
    }

    let context: CollectionContext<Element>
    let core: StoreCore
    private(set) var lookup: Lookup?
    private(set) var conditions: [@Sendable (Element) -> Bool] = []
    private(set) var order: Order?
    private(set) var count: Int?

    init(_ context: CollectionContext<Element>, _ core: StoreCore) {
        self.context = context
        self.core = core
    }

    // MARK: Conditions

    /// Returns the query with an additional condition.
    ///
    /// - Parameter isIncluded: the condition, called on one of the store's threads.
    /// - Returns: the query for the rows that also satisfy this condition.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> Self {
        var query = self
        query.conditions.append(isIncluded)
        return query
    }

    /// Returns the query with a predicate as an additional condition.
    ///
    /// - Parameter predicate: the predicate; rows for which it throws are omitted.
    /// - Returns: the query for the rows that also satisfy the predicate.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public func filter(_ predicate: Predicate<Element>) -> Self {
        filter { (try? predicate.evaluate($0)) ?? false }
    }

    /// Returns the query with the condition that a property equals a value, using an index if one is declared.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - value: the value.
    /// - Returns: the query for the rows that also satisfy this condition.
    public func filter<Value: Indexable & Equatable>(
        _ path: KeyPath<Element, Value> & Sendable,
        equals value: Value
    ) -> Self {
        let indexed = Value.indexValue(of: value)
        return lookingUp(by: path, Value.indexOrder, IndexRange(from: indexed, to: indexed, isUpperIncluded: true))
            .filter { $0[keyPath: path] == value }
    }

    /// Returns the query with the condition that a property is in a half-open range, using an index if one is declared.
    ///
    /// The index is not used if its order is unknown; see ``IndexValue/Order``.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - range: the range.
    /// - Returns: the query for the rows that also satisfy this condition.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: Range<Value>
    ) -> Self {
        let (lower, upper) = (Value.indexValue(of: range.lowerBound), Value.indexValue(of: range.upperBound))
        // A value below the bound in Swift can be rounded to the bound in the index.
        let isIncluded = Value.indexOrder == .rounded
        return lookingUp(by: path, Value.indexOrder, IndexRange(from: lower, to: upper, isUpperIncluded: isIncluded))
            .filter { range.contains($0[keyPath: path]) }
    }

    /// Returns the query with the condition that a property is in a closed range, using an index if one is declared.
    ///
    /// The index is not used if its order is unknown; see ``IndexValue/Order``.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - range: the range.
    /// - Returns: the query for the rows that also satisfy this condition.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: ClosedRange<Value>
    ) -> Self {
        let (lower, upper) = (Value.indexValue(of: range.lowerBound), Value.indexValue(of: range.upperBound))
        return lookingUp(by: path, Value.indexOrder, IndexRange(from: lower, to: upper, isUpperIncluded: true))
            .filter { range.contains($0[keyPath: path]) }
    }

    /// Returns the query with an index lookup, unless it already has one or no index applies.
    ///
    /// The condition must still be checked for each row.
    private func lookingUp(
        by path: any PartialKeyPath<Element> & Sendable,
        _ order: IndexValue.Order,
        _ range: IndexRange?
    ) -> Self {
        let isDeclared = context.clauses.indexes.contains { $0.path == path }
        guard lookup == nil, isDeclared, let range, order != .unknown || range.isOneValue else { return self }
        var query = self
        query.lookup = Lookup(path: path, range: range, isExact: order == .exact && conditions.isEmpty)
        return query
    }

    // MARK: Order

    /// Returns the query sorted by a property, replacing any earlier order.
    ///
    /// Rows with equal values are in the order in which the store first received them.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - direction: the direction of the order.
    /// - Returns: the sorted query.
    public func sorted<Value: Comparable & Sendable>(
        by path: KeyPath<Element, Value> & Sendable,
        _ direction: SortOrder = .forward
    ) -> Self {
        var query = self
        let isForward = direction == .forward
        let isBefore: @Sendable (Value, Value) -> Bool = { isForward ? $0 < $1 : $0 > $1 }
        query.order = Order(
            isBefore: { isBefore($0[keyPath: path], $1[keyPath: path]) },
            path: path,
            isForward: isForward,
            indexOrder: (Value.self as? any Indexable.Type)?.indexOrder ?? .unknown
        )
        return query
    }

    /// Returns the query limited to its first rows.
    ///
    /// - Parameter count: the maximum number of rows; negative values count as 0.
    /// - Returns: the limited query.
    public func limit(_ count: Int) -> Self {
        var query = self
        query.count = max(0, count)
        return query
    }

    // MARK: Items

    /// Whether an item satisfies the conditions of the query.
    func isIncluded(_ element: Element) -> Bool { conditions.allSatisfy { $0(element) } }

    /// Whether one row comes before another: by the order, and then by row number.
    func precedes(_ left: Item, _ right: Item) -> Bool {
        if let order {
            if order.isBefore(left.element, right.element) { return true }
            if order.isBefore(right.element, left.element) { return false }
        }
        return left.row < right.row
    }
}
