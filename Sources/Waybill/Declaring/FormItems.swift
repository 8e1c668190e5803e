import Foundation

/// Flattens an `Encodable` into the items of a query or a form.
enum FormItems {
    /// The items in the order in which the value encodes them.
    ///
    /// - Throws: `EncodingError` for a value without keys, or one that the array style cannot write.
    static func items(of value: any Encodable, arrays: ArrayStyle, dates: DateText, nils: Bodies.Nils = .omitted) throws
        -> [QueryItem]
    {
        let format = LeafFormat { leaf in
            guard let date = leaf as? Date else { return try LeafFormat.standard.text(of: leaf) }
            guard let text = dates.text(of: date) else {
                throw LeafFormat.Unsupported(ISO8601.reason(against: date))
            }
            return text
        }
        return try FlattenedItems(
            ValueEncoder(nils: nils == .null ? .null : .omitted).encode(value),
            arrays: arrays,
            nulls: nils == .null ? .empty : .omitted,
            format: format
        ).items
            .map { QueryItem(name: $0.name, pieces: $0.pieces) }
    }
}
