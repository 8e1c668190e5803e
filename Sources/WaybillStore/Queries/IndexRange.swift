/// A range of values in an index.
struct IndexRange: Sendable {
    /// A condition on the column `value`, with the values of its parameters.
    typealias Condition = (sql: String, values: [DatabaseValue])

    /// Whether the range includes rows without a value, which sort before all others.
    let includesNull: Bool

    /// The condition for the values that SQLite orders as Swift does; nil if the range contains none of them.
    let values: Condition?

    /// Whether the range contains exactly one value.
    let isOneValue: Bool

    /// The range of all values that SQLite orders as Swift does, and of rows without a value.
    static var all: IndexRange {
        IndexRange(includesNull: true, values: ("value < x''", []), isOneValue: false)
    }

    private init(includesNull: Bool, values: Condition?, isOneValue: Bool) {
        self.includesNull = includesNull
        self.values = values
        self.isOneValue = isOneValue
    }

    /// Creates the range between two values; returns nil if SQLite orders either of them differently from Swift.
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

// Index entries, without their rows.
extension Connection {
    private static let null: IndexRange.Condition = ("value = x''", [])

    /// The condition for values that SQLite orders differently from Swift.
    ///
    /// Their items must be compared in Swift.
    private static let unordered: IndexRange.Condition = ("value > x''", [])

    /// Whether an index contains values that SQLite orders differently from Swift.
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

    /// Calls a closure with the numbers of all rows whose value may be in a range, in ascending order, until it returns
    /// false.
    func forEachEntry(
        _ index: Int64,
        _ range: IndexRange,
        _ body: (Int64) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let conditions = [range.values, range.includesNull ? Self.null : nil, Self.unordered].compactMap(\.self)
        let parts = conditions.map { Self.selection("row", index, $0) }
        // SQLite merges the parts. If each covers only one value, it reads no more rows than requested.
        let sql = parts.map(\.sql).joined(separator: " UNION ALL ") + " ORDER BY row"
        try forEach(sql, parts.flatMap(\.values)) { (entry) throws(StoreError) in try body(entry.integer(0) ?? 0) }
    }

    /// Calls a closure with each row in a range and its value, ordered by value and then by row, until it returns
    /// false.
    func forEachEntry(
        _ index: Int64,
        _ range: IndexRange,
        isForward: Bool,
        _ body: (Int64, DatabaseValue) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let conditions = [range.includesNull ? Self.null : nil, range.values].compactMap(\.self)
        var shouldContinue = true
        for condition in isForward ? conditions : conditions.reversed() where shouldContinue {
            let (sql, values) = Self.selection("row, value", index, condition)
            try forEach(sql + (isForward ? " ORDER BY value, row" : " ORDER BY value DESC, row"), values) {
                (entry) throws(StoreError) in
                shouldContinue = try body(entry.integer(0) ?? 0, entry[1])
                return shouldContinue
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
