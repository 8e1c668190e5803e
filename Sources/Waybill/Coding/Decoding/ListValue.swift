import WaybillJSON

/// The value of an endpoint that returns a list, such as `[Product]`.
///
/// Only `Array` conforms. This protocol enables pagination for endpoints that return arrays.
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

/// A list that can be decoded element by element, dropping the elements that fail.
package protocol DroppingList {
    static func decodeValidItems(at walker: DocumentWalker, from decoder: any Decoder) throws -> (
        Self, [WaybillJSONDecoder.DroppedItem]
    )
    static func decodeValidItems(at path: [EnvelopeKey], of document: WaybillJSONDecoder.Document) throws -> (
        Self, [WaybillJSONDecoder.DroppedItem]
    )
}

extension Array: DroppingList where Element: Decodable {
    package static func decodeValidItems(
        at walker: DocumentWalker,
        from decoder: any Decoder
    ) throws -> ([Element], [WaybillJSONDecoder.DroppedItem]) {
        let list = try walker.decode(LossyArray<Element>.self, from: decoder)
        return (list.elements, list.dropped)
    }

    package static func decodeValidItems(
        at path: [EnvelopeKey],
        of document: WaybillJSONDecoder.Document
    ) throws -> ([Element], [WaybillJSONDecoder.DroppedItem]) {
        let list = try document.decodeLossy([Element].self, at: path)
        return (list.elements, list.dropped)
    }
}

/// A list or optional list that can be decoded from its only item, sent in place of an array.
package protocol OneItemList {
    /// Decodes the item at the given path.
    ///
    /// - Parameters:
    ///   - path: the path to the item.
    ///   - document: the parsed document.
    ///   - dropsInvalid: whether to drop the item if it fails to decode.
    /// - Returns: a list of the item, or an empty list and the dropped item.
    /// - Throws: the item's decoding error, unless the item is dropped.
    static func decodeOnlyItem(
        at path: [EnvelopeKey],
        of document: WaybillJSONDecoder.Document,
        dropsInvalid: Bool
    ) throws -> (Self, [WaybillJSONDecoder.DroppedItem])

    /// Decodes the item with any decoder.
    static func decodeOnlyItem(
        at walker: DocumentWalker,
        from decoder: any Decoder,
        dropsInvalid: Bool
    ) throws -> (Self, [WaybillJSONDecoder.DroppedItem])
}

extension Array: OneItemList where Element: Decodable {
    package static func decodeOnlyItem(
        at path: [EnvelopeKey],
        of document: WaybillJSONDecoder.Document,
        dropsInvalid: Bool
    ) throws -> ([Element], [WaybillJSONDecoder.DroppedItem]) {
        try onlyItem(dropsInvalid: dropsInvalid) { try document.decode(Element.self, at: path) }
    }

    package static func decodeOnlyItem(
        at walker: DocumentWalker,
        from decoder: any Decoder,
        dropsInvalid: Bool
    ) throws -> ([Element], [WaybillJSONDecoder.DroppedItem]) {
        try onlyItem(dropsInvalid: dropsInvalid) { try walker.decode(Element.self, from: decoder) }
    }

    private static func onlyItem(
        dropsInvalid: Bool,
        _ decode: () throws -> Element
    ) throws -> ([Element], [WaybillJSONDecoder.DroppedItem]) {
        do {
            return ([try decode()], [])
        } catch {
            guard dropsInvalid else { throw error }
            return ([], [WaybillJSONDecoder.DroppedItem(index: 0, error: error)])
        }
    }
}

extension Optional: OneItemList where Wrapped: OneItemList {
    package static func decodeOnlyItem(
        at path: [EnvelopeKey],
        of document: WaybillJSONDecoder.Document,
        dropsInvalid: Bool
    ) throws -> (Wrapped?, [WaybillJSONDecoder.DroppedItem]) {
        try Wrapped.decodeOnlyItem(at: path, of: document, dropsInvalid: dropsInvalid)
    }

    package static func decodeOnlyItem(
        at walker: DocumentWalker,
        from decoder: any Decoder,
        dropsInvalid: Bool
    ) throws -> (Wrapped?, [WaybillJSONDecoder.DroppedItem]) {
        try Wrapped.decodeOnlyItem(at: walker, from: decoder, dropsInvalid: dropsInvalid)
    }
}
