/// A range of the values of an index.
struct IndexRange: Sendable {
    /// A condition on the column `value`, and the values of its parameters.
    typealias Condition = (sql: String, values: [DatabaseValue])

    /// Whether rows without a value are in it; they are before all others.
    let includesNull: Bool

    /// The condition for the other values that SQLite compares as Swift does; nil if the range has none.
    let values: Condition?

    /// Whether it is that of one value.
    let isOneValue: Bool

    /// All values.
    static var all: IndexRange {
        IndexRange(includesNull: true, values: ("value < x''", []), isOneValue: false)
    }

    private init(includesNull: Bool, values: Condition?, isOneValue: Bool) {
        self.includesNull = includesNull
        self.values = values
        self.isOneValue = isOneValue
    }

    /// Creates the range between two values; nil if SQLite does not compare them as Swift does.
    init?(from lower: IndexValue, to upper: IndexValue, isUpperIncluded: Bool) {
        guard lower.isOrdered, upper.isOrdered else { return nil }
        let isOneValue = isUpperIncluded && lower == upper
        let comparison = isUpperIncluded ? "<=" : "<"
        switch (lower == .null, upper == .null) {
        case (true, true): self.init(includesNull: isUpperIncluded, values: nil, isOneValue: isOneValue)
        case (true, false):
            self.init(includesNull: true, values: ("value \(comparison) ?", [upper.key]), isOneValue: false)
        case (false, true): self.init(includesNull: false, values: nil, isOneValue: false)
        case (false, false) where isOneValue:
            self.init(includesNull: false, values: ("value = ?", [lower.key]), isOneValue: true)
        case (false, false):
            let sql = "value >= ? AND value \(comparison) ?"
            self.init(includesNull: false, values: (sql, [lower.key, upper.key]), isOneValue: false)
        }
    }
}

// The entries of an index, without the rows.
extension Connection {
    private static let null: IndexRange.Condition = ("value = x''", [])

    /// The condition for values whose order in SQLite is not that of Swift: their items have to be compared.
    private static let unordered: IndexRange.Condition = ("value > x''", [])

    /// Whether an index has values whose order in SQLite is not that of Swift.
    func hasUnorderedValues(_ index: Int64) throws(StoreError) -> Bool {
        let (sql, values) = Self.selection("1", index, Self.unordered)
        return try first(sql + " LIMIT 1", values) { $0.integer(0) } != nil
    }

    /// Returns the number of rows with a value in a range.
    func entryCount(_ index: Int64, _ range: IndexRange) throws(StoreError) -> Int {
        var count = 0
        for condition in [range.values, range.includesNull ? Self.null : nil] {
            guard let condition else { continue }
            let (sql, values) = Self.selection("count(*)", index, condition)
            count += Int(try first(sql, values) { $0.integer(0) } ?? 0)
        }
        return count
    }

    /// Calls a closure with the numbers of all rows whose value may be in a range, in their order, until it returns
    /// false.
    func forEachEntry(
        _ index: Int64,
        _ range: IndexRange,
        _ body: (Int64) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let conditions = [range.values, range.includesNull ? Self.null : nil, Self.unordered].compactMap(\.self)
        let parts = conditions.map { Self.selection("row", index, $0) }
        // SQLite merges the parts: of those with one value, it reads no more rows than are asked for.
        let sql = parts.map(\.sql).joined(separator: " UNION ALL ") + " ORDER BY row"
        try forEach(sql, parts.flatMap(\.values)) { (entry) throws(StoreError) in try body(entry.integer(0) ?? 0) }
    }

    /// Calls a closure with the rows whose value is in a range, and with the value, in the order of the values and then
    /// of the rows, until it returns false.
    func forEachEntry(
        _ index: Int64,
        _ range: IndexRange,
        isForward: Bool,
        _ body: (Int64, DatabaseValue) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let conditions = [range.includesNull ? Self.null : nil, range.values].compactMap(\.self)
        var goesOn = true
        for condition in isForward ? conditions : conditions.reversed() where goesOn {
            let (sql, values) = Self.selection("row, value", index, condition)
            try forEach(sql + (isForward ? " ORDER BY value, row" : " ORDER BY value DESC, row"), values) {
                (entry) throws(StoreError) in
                goesOn = try body(entry.integer(0) ?? 0, entry[1])
                return goesOn
            }
        }
    }

    private static func selection(
        _ columns: String,
        _ index: Int64,
        _ condition: IndexRange.Condition
    ) -> (sql: String, values: [DatabaseValue]) {
        (
            "SELECT \(columns) FROM index_entries WHERE \"index\" = ? AND \(condition.sql)",
            [.integer(index)] + condition.values
        )
    }
}
