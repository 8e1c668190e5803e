import WaybillSystem

/// The spelling of a value in a query or a form; strategies that are nil are left to an outer scope.
package struct FormStyle: Sendable {
    package var arrays: ArrayStyle?
    package var dates: DateText?
    package var keys: JSONEncoder.KeyEncodingStrategy?
    package var nulls: NullStyle?
    package var empties: EmptyStyle?

    package init(
        arrays: ArrayStyle? = nil,
        dates: DateText? = nil,
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        nulls: NullStyle? = nil,
        empties: EmptyStyle? = nil
    ) {
        self.arrays = arrays
        self.dates = dates
        self.keys = keys
        self.nulls = nulls
        self.empties = empties
    }

    /// Returns this style merged over an outer one.
    package func merged(over outer: FormStyle) -> FormStyle {
        FormStyle(
            arrays: arrays ?? outer.arrays,
            dates: dates ?? outer.dates,
            keys: keys ?? outer.keys,
            nulls: nulls ?? outer.nulls,
            empties: empties ?? outer.empties
        )
    }

    /// The declared strategies, for an explanation.
    package var summary: String {
        [
            arrays.map { "arrays \($0)" }, dates.map { "dates \($0)" }, keys.map { "keys \($0.name)" },
            nulls.map { "nulls \($0)" }, empties.map { "empties \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
