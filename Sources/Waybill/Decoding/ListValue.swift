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
}

extension Array: DroppingList where Element: Decodable {
    package static func decodeValidItems(
        at walker: DocumentWalker,
        from decoder: any Decoder
    ) throws -> ([Element], [DroppedItem]) {
        var items: [Element] = []
        var dropped: [DroppedItem] = []
        for (index, attempt) in try walker.decode([Attempt<Element>].self, from: decoder).enumerated() {
            switch attempt.result {
            case .success(let item): items.append(item)
            case .failure(let error): dropped.append(DroppedItem(index: index, error: error))
            }
        }
        return (items, dropped)
    }
}

/// Decodes a value or keeps the error, so that the list around it goes on.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) {
        result = Result {
            let container = try decoder.singleValueContainer()
            return try container.decode(Value.self)
        }
    }
}
