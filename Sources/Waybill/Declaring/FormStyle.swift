import WaybillJSON

/// The declared strategies for writing values to a query or a form; nil if not declared.
package struct FormStyle: Sendable {
    package var arrays: Query.ArrayStyle?
    package var dates: WaybillJSONEncoder.DateEncodingStrategy?
    package var keys: WaybillJSONEncoder.KeyEncodingStrategy?
    package var nulls: Query.NullStyle?
    package var empties: Query.EmptyStyle?

    package init(
        arrays: Query.ArrayStyle? = nil,
        dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
        keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
        nulls: Query.NullStyle? = nil,
        empties: Query.EmptyStyle? = nil
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

    /// The declared strategies, for explanations.
    package var summary: String {
        [
            arrays.map { "arrays \($0)" }, dates.map { "dates \($0.name)" }, keys.map { "keys \($0.name)" },
            nulls.map { "nulls \($0)" }, empties.map { "empties \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
