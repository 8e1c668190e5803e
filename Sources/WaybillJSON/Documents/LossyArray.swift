/// The elements of an array that could be decoded, and the errors of the others.
///
/// ```swift
/// let products = try decoder.decodeLossy([Product].self, from: data, at: "data")
/// for item in products.dropped { log("product \(item.index): \(item.error)") }
/// show(products.elements)
/// ```
///
/// As the type of a property it works with every decoder, Foundation's included:
///
/// ```swift
/// struct Catalogue: Decodable {
///     let products: LossyArray<Product>
/// }
/// ```
public struct LossyArray<Element> {
    /// The elements that could be decoded, in order.
    public let elements: [Element]

    /// The others, in order.
    public let dropped: [DroppedItem]

    /// Creates an array with dropped items, for tests.
    ///
    /// - Parameters:
    ///   - elements: the elements that could be decoded, in order.
    ///   - dropped: the others, in order, with their indices in the whole array.
    public init(elements: [Element], dropped: [DroppedItem] = []) {
        self.elements = elements
        self.dropped = dropped
    }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: Decodable where Element: Decodable {
    /// Decodes an array element by element.
    ///
    /// - Parameter decoder: any decoder, at an array.
    /// - Throws: `DecodingError` if there is no array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        var dropped: [DroppedItem] = []
        while !container.isAtEnd {
            let index = container.currentIndex
            switch try container.decode(Attempt<Element>.self).result {
            case .success(let element): elements.append(element)
            case .failure(let error): dropped.append(DroppedItem(index: index, error: error))
            }
        }
        self.init(elements: elements, dropped: dropped)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the elements as an array; the dropped ones are left out.
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// A decoded value, or the error, so that the array around it continues.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) {
        result = Result {
            // Through the container, because only that applies the decoder's strategies to a `Date` or a `URL`.
            let container = try decoder.singleValueContainer()
            return try container.decode(Value.self)
        }
    }
}

/// An element of an array that could not be decoded and was left out on request.
public struct DroppedItem: Error, Sendable, CustomStringConvertible {
    /// The element's index in the array, from 0.
    public let index: Int

    /// The error: a `DecodingError`, or that of a type that decodes itself.
    public let error: any Error

    /// Creates a dropped item, for tests.
    ///
    /// - Parameters:
    ///   - index: the element's index in the array, from 0.
    ///   - error: the error; a `DecodingError` of the decoder also has a diagnosis.
    public init(index: Int, error: any Error) {
        self.index = index
        self.error = error
    }

    /// The diagnosis of the error in the document; nil unless the decoder has made it.
    public var diagnosis: JSONDiagnosis? { (error as? DecodingError).flatMap { JSONDiagnosis($0) } }

    /// The diagnosis, or else the error.
    public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
}
