import WaybillSystem

/// One item of a query, not encoded.
package struct QueryItem: Sendable, Hashable {
    /// The name.
    package let name: String

    /// The pieces of the value, which a comma joins; nil for a name without a value.
    package let pieces: [String]?

    /// Whether texts leave the value out.
    package let isSecret: Bool

    /// Whether the value is the id that the operation is called with, which is not known yet.
    package let standsForID: Bool

    /// The type of the value, if the declaration has one.
    package let declared: DeclaredValue?

    /// The form of the array that the item is an element of; nil for a scalar.
    package let arrayStyle: FormStyle.Arrays?

    /// The value that the encoder of the call writes as JSON; nil for an item that is text already.
    package let json: JSONSource?

    /// A value that becomes JSON; all are equal, because the items have the texts.
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
        arrayStyle: FormStyle.Arrays? = nil
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

    /// Creates an item whose value is JSON: until the encoder of the call has written it, as the usual one does.
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

    /// Returns the item with its JSON written by an encoder.
    ///
    /// - Throws: the error of a value that cannot be encoded.
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
        arrayStyle: FormStyle.Arrays? = nil,
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

    /// Returns an item whose value is the id of the operation.
    package static func id(named name: String) -> QueryItem {
        QueryItem(name: name, pieces: nil, isSecret: false, standsForID: true)
    }

    package init(
        name: String,
        value: String,
        isSecret: Bool = false,
        declared: DeclaredValue? = nil,
        arrayStyle: FormStyle.Arrays? = nil
    ) {
        self.init(name: name, pieces: [value], isSecret: isSecret, declared: declared, arrayStyle: arrayStyle)
    }

    /// The item in the form of a URL.
    ///
    /// All characters but unreserved ones are encoded, the `+` and brackets included, so that no server can misread
    /// them; only the commas between pieces stay as they are.
    package var encoded: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the item in the form of a URL.
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
    /// The item, redacted if it is secret.
    package var description: String {
        isSecret || SecretNameSet.usual.contains(name) ? "\(name)=\(Redaction.mark)" : encoded
    }

    package var customMirror: Mirror { Mirror(self, children: ["item": description], displayStyle: .struct) }
}

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
