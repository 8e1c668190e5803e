import WaybillSystem

/// The form of requests' bodies, as ``Envelope`` is that of responses.
///
/// ```swift
/// Bodies(under: "product")                        // {"product":{…}}
/// Bodies(item: "product", list: "products")       // another key for a batch
/// Bodies(as: .form)                               // application/x-www-form-urlencoded
/// Bodies(as: .form(arrays: .brackets))            // tag[]=a&tag[]=b
/// Bodies(nils: .null)                             // an optional without a value is sent as null
/// ```
///
/// The format holds for every write of a resource, its patches included. A form has its own strategies: the encoder in
/// scope has no say in it.
public struct Bodies: Setting {
    /// The format of a value, with its content type.
    public struct Format: Sendable {
        package enum Kind: String, Sendable { case json, form }

        package let kind: Kind
        package let style: FormStyle

        /// JSON, or the format of the encoder in scope.
        public static let json = Format(kind: .json, style: FormStyle())

        /// `application/x-www-form-urlencoded`, nested keys in brackets.
        public static let form = Format(kind: .form, style: FormStyle())

        /// Returns `application/x-www-form-urlencoded` with other strategies; those not given are the outer scope's.
        ///
        /// - Parameters:
        ///   - arrays: the names of elements; ``FormStyle/Arrays/repeated`` unless declared.
        ///   - dates: the text of dates; ``FormStyle/Dates/iso8601`` unless declared.
        ///   - keys: the names of properties; those of dictionaries stay as they are.
        ///   - nulls: the text of null; ``FormStyle/Nulls/empty`` unless declared.
        ///   - empties: the items of an array or object without elements; see ``FormStyle/Empties``.
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

    /// The form of an optional without a value.
    public enum Nils: String, Sendable, Hashable {
        /// It is left out.
        case omitted
        /// It is sent as `null`, in a form with the text of ``FormStyle/Nulls``.
        case null
    }

    package let itemKeys: [String]?
    package let listKeys: [String]?
    package let format: Format?
    package let nils: Nils?

    /// Wraps every value under keys, the outermost first.
    ///
    /// No key at all unwraps what an outer scope wraps.
    ///
    /// - Parameters:
    ///   - keys: the keys, the outermost first.
    ///   - format: the format; nil for that of an outer scope.
    ///   - nils: the form of an optional without a value; nil for that of an outer scope.
    public init(under keys: String..., as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: keys, listKeys: keys, format: format, nils: nils)
    }

    /// Wraps one item under a key, and a list under another.
    ///
    /// - Parameters:
    ///   - item: the key around one item.
    ///   - list: the key around a list.
    ///   - format: the format; nil for that of an outer scope.
    ///   - nils: the form of an optional without a value; nil for that of an outer scope.
    public init(item: String, list: String, as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: [item], listKeys: [list], format: format, nils: nils)
    }

    /// Declares the format, and leaves the keys around values to outer scopes.
    ///
    /// - Parameters:
    ///   - format: the format.
    ///   - nils: the form of an optional without a value; nil for that of an outer scope.
    public init(as format: Format, nils: Nils? = nil) {
        self.init(itemKeys: nil, listKeys: nil, format: format, nils: nils)
    }

    /// Declares the form of optionals without a value, and leaves the rest to outer scopes.
    ///
    /// - Parameter nils: the form of an optional without a value; nil for that of an outer scope.
    public init(nils: Nils) { self.init(itemKeys: nil, listKeys: nil, format: nil, nils: nils) }

    private init(itemKeys: [String]?, listKeys: [String]?, format: Format?, nils: Nils?) {
        self.itemKeys = itemKeys
        self.listKeys = listKeys
        self.format = format
        self.nils = nils
    }

    /// Returns these bodies merged over those of an outer scope.
    ///
    /// - Parameter outer: the form of the outer scope.
    /// - Returns: the merged form.
    public func merged(over outer: Bodies) -> Bodies {
        Bodies(
            itemKeys: itemKeys ?? outer.itemKeys,
            listKeys: listKeys ?? outer.listKeys,
            format: outer.format.map { outer in format?.merged(over: outer) ?? outer } ?? format,
            nils: nils ?? outer.nils
        )
    }

    /// Returns the keys around a value.
    package func keys(of value: any Encodable) -> [String]? { value is any _ListValue ? listKeys : itemKeys }

    /// The format, the keys and the form of nil.
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
        return parts.joined(separator: ", ")
    }
}
