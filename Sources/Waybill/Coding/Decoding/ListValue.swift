import WaybillJSON

/// The value of an endpoint that returns a list, such as `[Product]`.
///
/// Only `Array` conforms. The protocol makes pagination available for every endpoint that returns an array.
public protocol _ListValue {
    /// The type of the elements.
    associatedtype Element

    /// Creates an empty list.
    init()

    /// Returns the elements, in order.
    ///
    /// - Parameter list: the list.
    /// - Returns: its elements.
    static func _elements(of list: Self) -> [Element]
}

extension Array: _ListValue {
    /// Returns the array itself.
    ///
    /// - Parameter list: the array.
    /// - Returns: the array.
    public static func _elements(of list: Self) -> [Element] { list }
}

/// A list that can be decoded element by element, so that invalid elements can be dropped and the others kept.
package protocol DroppingList {
    static func decodeValidItems(at walker: DocumentWalker, from decoder: any Decoder) throws -> (
        Self, [DroppedItem]
    )
    static func decodeValidItems(at path: [EnvelopeKey], of document: WaybillJSONDecoder.Document) throws -> (
        Self, [DroppedItem]
    )
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
        of document: WaybillJSONDecoder.Document
    ) throws -> ([Element], [DroppedItem]) {
        let list = try document.decodeLossy([Element].self, at: path)
        return (list.elements, list.dropped)
    }
}
