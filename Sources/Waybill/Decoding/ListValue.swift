import WaybillJSON

/// A list of values, as an endpoint that answers with one declares it: `[Product]`.
///
/// `Array` is the one there is; the protocol exists so that paging can be asked of every `Endpoint<[Product]>`.
public protocol ListValue {
    /// What the list is of.
    associatedtype Element

    /// Creates an empty list.
    init()

    /// The elements, in order.
    var elements: [Element] { get }
}

extension Array: ListValue {
    /// The array itself.
    public var elements: [Element] { self }
}

/// A list that can be decoded element by element, so that one bad element does not cost the others.
package protocol DroppingList {
    static func decodeValidItems(at walker: DocumentWalker, from decoder: any Decoder) throws -> (Self, [DroppedItem])
    static func decodeValidItems(at path: [EnvelopeKey], of document: JSONDocument) throws -> (Self, [DroppedItem])
}

extension Array: DroppingList where Element: Decodable {
    package static func decodeValidItems(
        at walker: DocumentWalker,
        from decoder: any Decoder
    ) throws -> ([Element], [DroppedItem]) {
        let list = try walker.decode(LossyArray<Element>.self, from: decoder)
        return (list.elements, list.dropped)
    }

    package static func decodeValidItems(
        at path: [EnvelopeKey],
        of document: JSONDocument
    ) throws -> ([Element], [DroppedItem]) {
        let list = try document.decodeLossy([Element].self, at: path)
        return (list.elements, list.dropped)
    }
}
