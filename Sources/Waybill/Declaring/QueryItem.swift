import WaybillSystem

/// A query item, before percent-encoding.
package struct QueryItem: Sendable, Hashable {
    /// The name.
    package let name: String

    /// The pieces of the value, joined by commas when written; nil for a name without a value.
    package let pieces: [String]?

    /// Whether the value is redacted in errors, events and logs.
    package let isSecret: Bool

    /// Whether the item is a placeholder for the operation's id.
    package let standsForID: Bool

    /// The value's type, if known from the declaration.
    package let declared: DeclaredValue?

    /// The style of the enclosing array; nil for a scalar.
    package let arrayStyle: Query.ArrayStyle?

    /// The value to encode as JSON with the call's encoder; nil for an item that is already text.
    package let json: JSONSource?

    /// A value to encode as JSON.
    ///
    /// All instances compare equal, so items compare by their text alone.
    package struct JSONSource: Sendable, Hashable {
        package let value: any Encodable & Sendable

        package static func == (left: Self, right: Self) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }

    package init(
        name: String,
        pieces: [String]?,
        isSecret: Bool = false,
        declared: DeclaredValue? = nil,
        arrayStyle: Query.ArrayStyle? = nil
    ) {
        self.init(
            name: name,
            pieces: pieces,
            isSecret: isSecret,
            standsForID: false,
            declared: declared,
            arrayStyle: arrayStyle
        )
    }

    /// Creates an item with a JSON value.
    ///
    /// The item contains the default encoder's text until the call's encoder encodes the value.
    package init(name: String, json value: any Encodable & Sendable, isSecret: Bool) {
        let text = (try? JSONDefaults.requestEncoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
        self.init(
            name: name,
            pieces: [text ?? ""],
            isSecret: isSecret,
            standsForID: false,
            json: JSONSource(value: value)
        )
    }

    /// Returns the item with its JSON value encoded as text.
    ///
    /// - Parameter encoder: the call's encoder.
    /// - Returns: the encoded item, or this item if it has no JSON value.
    /// - Throws: the encoder's error if the value cannot be encoded.
    package func written(by encoder: any RequestEncoder) throws -> QueryItem {
        guard let json else { return self }
        let text = String(decoding: try encoder.encode(json.value), as: UTF8.self)
        return QueryItem(name: name, value: text, isSecret: isSecret, declared: declared)
    }

    private init(
        name: String,
        pieces: [String]?,
        isSecret: Bool,
        standsForID: Bool,
        declared: DeclaredValue? = nil,
        arrayStyle: Query.ArrayStyle? = nil,
        json: JSONSource? = nil
    ) {
        self.json = json
        self.declared = declared
        self.arrayStyle = arrayStyle
        self.name = name
        self.pieces = pieces
        self.isSecret = isSecret
        self.standsForID = standsForID
    }

    /// Returns an item whose value is the operation's id.
    package static func id(named name: String) -> QueryItem {
        QueryItem(name: name, pieces: nil, isSecret: false, standsForID: true)
    }

    package init(
        name: String,
        value: String,
        isSecret: Bool = false,
        declared: DeclaredValue? = nil,
        arrayStyle: Query.ArrayStyle? = nil
    ) {
        self.init(name: name, pieces: [value], isSecret: isSecret, declared: declared, arrayStyle: arrayStyle)
    }

    /// The item as it appears in a URL.
    ///
    /// All characters except unreserved ones are percent-encoded, including `+` and brackets, so servers cannot
    /// misinterpret them. The commas between pieces are not encoded.
    package var encoded: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the item as it appears in a URL.
    func write(to bytes: inout [UInt8]) {
        PercentEncoding.append(name, to: &bytes)
        guard let pieces else { return }
        bytes.append(UInt8(ascii: "="))
        for index in pieces.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            PercentEncoding.append(pieces[index], to: &bytes)
        }
    }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
    /// The item, with its value redacted if it is secret.
    package var description: String {
        isSecret || SecretNameSet.usual.contains(name) ? "\(name)=\(Redaction.mark)" : encoded
    }

    package var customMirror: Mirror { Mirror(self, children: ["item": description], displayStyle: .struct) }
}

/// A namespace for flattening an `Encodable` value into the items of a query or a form.
enum FormItems {
    /// Returns the items for a value's members, in encoding order.
    ///
    /// - Throws: `EncodingError` if the value has no keys or the array style cannot represent it.
    static func items(
        of value: any Encodable,
        as style: FormStyle,
        nils: Body.Format.NilStyle = .omitted,
        empties: Query.EmptyStyle? = .omitted
    ) throws -> [QueryItem] {
        let tree = try ValueEncoder(nils: nils == .null ? .null : .omittedEverywhere).encode(value)
        return try flattened(tree, named: nil, as: style, empties)
    }

    /// Returns a value's items under the given name.
    static func items(
        of value: any Encodable,
        named name: String,
        as style: FormStyle,
        nils: Body.Format.NilStyle = .omitted,
        empties: Query.EmptyStyle? = .omitted
    ) throws -> [QueryItem] {
        let tree = try ValueEncoder(nils: nils == .null ? .null : .omittedEverywhere).encode(value)
        return try flattened(tree, named: name, as: style, empties)
    }

    private static func flattened(
        _ tree: EncodedValue,
        named name: String?,
        as style: FormStyle,
        _ empties: Query.EmptyStyle?
    ) throws -> [QueryItem] {
        let dates = style.dates ?? .iso8601WithMilliseconds
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
            keys: style.keys ?? .useDefaultKeys,
            empties: style.empties ?? empties,
            format: format
        ).items
            .map { item in
                QueryItem(
                    name: item.name,
                    pieces: item.pieces,
                    declared: item.type.map { DeclaredValue($0) },
                    arrayStyle: item.arrayStyle
                )
            }
    }
}
