import WaybillSystem

/// Flattens an `Encodable` into the items of a query or a form.
enum FormItems {
    /// Returns the items in the order in which the value encodes them.
    ///
    /// - Throws: `EncodingError` for a value without keys, or one that the array style cannot write.
    static func items(
        of value: any Encodable,
        as style: FormStyle,
        nils: Bodies.Nils = .omitted,
        empties: FormStyle.Empties? = .omitted
    ) throws -> [QueryItem] {
        let tree = try ValueEncoder(nils: nils == .null ? .null : .omittedEverywhere).encode(value)
        return try flattened(tree, named: nil, as: style, empties)
    }

    /// Returns the items of a value under a name.
    static func items(
        of value: any Encodable,
        named name: String,
        as style: FormStyle,
        empties: FormStyle.Empties? = .omitted
    ) throws -> [QueryItem] {
        try flattened(ValueEncoder(nils: .omittedEverywhere).encode(value), named: name, as: style, empties)
    }

    private static func flattened(
        _ tree: EncodedValue,
        named name: String?,
        as style: FormStyle,
        _ empties: FormStyle.Empties?
    ) throws -> [QueryItem] {
        let dates = style.dates ?? .iso8601
        let format = LeafFormat { leaf in
            guard let date = leaf as? Date else { return try LeafFormat.standard.text(of: leaf) }
            guard let text = dates.text(of: date) else {
                throw LeafFormat.Unsupported(ISO8601.reason(against: date))
            }
            return text
        }
        return try FlattenedItems(
            tree,
            named: name,
            arrays: style.arrays ?? .repeated,
            nulls: style.nulls ?? .empty,
            names: KeyNames(style.keys ?? .useDefaultKeys),
            empties: style.empties ?? empties,
            format: format
        ).items
            .map { QueryItem(name: $0.name, pieces: $0.pieces) }
    }
}
