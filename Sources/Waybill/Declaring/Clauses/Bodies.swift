import WaybillSystem

/// The format of request bodies; its counterpart for responses is ``Envelope``.
///
/// ```swift
/// Bodies(under: "product")                        // {"product":{…}}
/// Bodies(item: "product", list: "products")       // another key for a batch
/// Bodies(as: .form)                               // application/x-www-form-urlencoded
/// Bodies(as: .form(arrays: .brackets))            // tag[]=a&tag[]=b
/// Bodies(nils: .null)                             // an optional without a value is sent as null
/// Bodies.none                                     // JSON without keys, even if an outer scope declares others
/// ```
///
/// The format applies to every write of a resource, including patches. A form has its own strategies; the encoder in
/// scope does not affect it.
public struct Bodies: Setting {
    /// The format of a value and its content type.
    public struct Format: Sendable {
        package enum Kind: String, Sendable { case json, form }

        package let kind: Kind
        package let style: FormStyle

        /// JSON, or the format of the encoder in scope.
        public static let json = Format(kind: .json, style: FormStyle())

        /// `application/x-www-form-urlencoded`, with nested keys in brackets.
        public static let form = Format(kind: .form, style: FormStyle())

        /// Returns `application/x-www-form-urlencoded` with the given strategies.
        ///
        /// Omitted strategies are inherited from the outer scope.
        ///
        /// - Parameters:
        ///   - arrays: how the elements of arrays become items; ``FormStyle/Arrays/repeated`` by default.
        ///   - dates: the format of dates; ``FormStyle/Dates/iso8601`` by default.
        ///   - keys: the strategy for property names; dictionary keys are unchanged.
        ///   - nulls: the text of null; ``FormStyle/Nulls/empty`` by default.
        ///   - empties: how empty arrays and objects are written; see ``FormStyle/Empties``.
        /// - Returns: the format.
        public static func form(
            arrays: FormStyle.Arrays? = nil,
            dates: FormStyle.Dates? = nil,
            keys: JSONEncoder.KeyEncodingStrategy? = nil,
            nulls: FormStyle.Nulls? = nil,
            empties: FormStyle.Empties? = nil
        ) -> Format {
            let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
            return Format(kind: .form, style: style)
        }

        fileprivate func merged(over outer: Format) -> Format {
            Format(kind: kind, style: style.merged(over: outer.style))
        }

        fileprivate var summary: String {
            style.summary.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(style.summary))"
        }
    }

    /// The treatment of optionals that are nil.
    public enum Nils: String, Sendable, Hashable {
        /// The member is omitted.
        case omitted
        /// The member is sent as `null`. In a form, it is written as declared with ``FormStyle/Nulls``.
        case null
    }

    package let itemKeys: [String]?
    package let listKeys: [String]?
    package let format: Format?
    package let nils: Nils?

    /// Whether everything that outer scopes declare is discarded.
    private let replacesOuter: Bool

    /// JSON without keys around values, in which nil is omitted, even if an outer scope declares otherwise.
    public static let none = Bodies(itemKeys: nil, listKeys: nil, format: nil, nils: nil, replacesOuter: true)

    /// Wraps every value in keys.
    ///
    /// Without keys, values are not wrapped, even if an outer scope declares keys.
    ///
    /// - Parameters:
    ///   - keys: the keys, outermost first.
    ///   - format: the format; nil to inherit it from the outer scope.
    ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
    public init(under keys: String..., as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: keys, listKeys: keys, format: format, nils: nils)
    }

    /// Wraps a single item in one key and a list in another.
    ///
    /// - Parameters:
    ///   - item: the key around a single item.
    ///   - list: the key around a list.
    ///   - format: the format; nil to inherit it from the outer scope.
    ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
    public init(item: String, list: String, as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: [item], listKeys: [list], format: format, nils: nils)
    }

    /// Declares the format.
    ///
    /// The keys around values are inherited from the outer scope.
    ///
    /// - Parameters:
    ///   - format: the format.
    ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
    public init(as format: Format, nils: Nils? = nil) {
        self.init(itemKeys: nil, listKeys: nil, format: format, nils: nils)
    }

    /// Declares the treatment of nil.
    ///
    /// Everything else is inherited from the outer scope.
    ///
    /// - Parameter nils: the treatment of nil.
    public init(nils: Nils) { self.init(itemKeys: nil, listKeys: nil, format: nil, nils: nils) }

    private init(
        itemKeys: [String]?,
        listKeys: [String]?,
        format: Format?,
        nils: Nils?,
        replacesOuter: Bool = false
    ) {
        self.itemKeys = itemKeys
        self.listKeys = listKeys
        self.format = format
        self.nils = nils
        self.replacesOuter = replacesOuter
    }

    /// Returns this clause merged over that of the outer scope.
    ///
    /// - Parameter outer: the clause of the outer scope.
    /// - Returns: the merged clause.
    public func merged(over outer: Bodies) -> Bodies {
        if replacesOuter { return self }
        return Bodies(
            itemKeys: itemKeys ?? outer.itemKeys,
            listKeys: listKeys ?? outer.listKeys,
            format: outer.format.map { outer in format?.merged(over: outer) ?? outer } ?? format,
            nils: nils ?? outer.nils,
            replacesOuter: outer.replacesOuter
        )
    }

    /// Returns the keys around a value.
    package func keys(of value: any Encodable) -> [String]? { value is any _ListValue ? listKeys : itemKeys }

    /// The format, the keys and the treatment of nil.
    public var summary: String {
        var parts = [format?.summary].compactMap { $0 }
        if let itemKeys, let listKeys {
            parts.append(
                itemKeys == listKeys
                    ? "under \(itemKeys.joined(separator: "."))"
                    : "item under \(itemKeys.joined(separator: ".")), list under \(listKeys.joined(separator: "."))"
            )
        }
        if let nils { parts.append("nils \(nils.rawValue)") }
        return parts.isEmpty && replacesOuter ? "none" : parts.joined(separator: ", ")
    }
}
