/// What the bodies of requests look like: what ``Envelope`` says of answers, for the other direction.
///
/// ```swift
/// Bodies(under: "product")                        // {"product":{…}}
/// Bodies(item: "product", list: "products")       // another key for a batch
/// Bodies(as: .form)                               // application/x-www-form-urlencoded
/// Bodies(nils: .null)                             // an optional without a value is sent as null
/// ```
///
/// In a form an optional without a value is left out or, with `.null`, an item with an empty value; the encoder in
/// scope has no say in it.
public struct Bodies: Setting {
    /// How a value is written.
    public enum Format: String, Sendable, Hashable {
        /// JSON, by the encoder in scope.
        case json
        /// `application/x-www-form-urlencoded`, nested keys in brackets.
        case form
    }

    /// What becomes of an optional without a value.
    public enum Nils: String, Sendable, Hashable {
        /// It is left out.
        case omitted
        /// It is sent as `null`.
        case null
    }

    package let itemKeys: [String]?
    package let listKeys: [String]?
    package let format: Format?
    package let nils: Nils?

    /// Wraps every value under keys, the outermost first.
    ///
    /// No key at all unwraps what a farther scope wraps.
    public init(under keys: String..., as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: keys, listKeys: keys, format: format, nils: nils)
    }

    /// Wraps one item under a key, and a list under another.
    public init(item: String, list: String, as format: Format? = nil, nils: Nils? = nil) {
        self.init(itemKeys: [item], listKeys: [list], format: format, nils: nils)
    }

    /// Says how values are written, and leaves their wrapping to farther scopes.
    public init(as format: Format, nils: Nils? = nil) {
        self.init(itemKeys: nil, listKeys: nil, format: format, nils: nils)
    }

    /// Says what becomes of optionals without a value, and leaves the rest to farther scopes.
    public init(nils: Nils) { self.init(itemKeys: nil, listKeys: nil, format: nil, nils: nils) }

    private init(itemKeys: [String]?, listKeys: [String]?, format: Format?, nils: Nils?) {
        self.itemKeys = itemKeys
        self.listKeys = listKeys
        self.format = format
        self.nils = nils
    }

    /// What this scope says, and what the farther one says of the rest.
    public func merged(over farther: Bodies) -> Bodies {
        Bodies(
            itemKeys: itemKeys ?? farther.itemKeys,
            listKeys: listKeys ?? farther.listKeys,
            format: format ?? farther.format,
            nils: nils ?? farther.nils
        )
    }

    /// The format, the keys and what becomes of nil.
    public var summary: String {
        var parts = [format?.rawValue].compactMap { $0 }
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
