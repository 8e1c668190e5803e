/// The successfully decoded elements of an array, and the errors of the other elements.
///
/// ```swift
/// let products = try decoder.decodeLossy([Product].self, from: data, at: "data")
/// for item in products.dropped { log("product \(item.index): \(item.error)") }
/// show(products.elements)
/// ```
///
/// As a property type, it works with any decoder, including Foundation's:
///
/// ```swift
/// struct Catalogue: Decodable {
///     let products: LossyArray<Product>
/// }
/// ```
public struct LossyArray<Element> {
    /// The successfully decoded elements, in array order.
    public let elements: [Element]

    /// The elements that could not be decoded, in array order.
    public let dropped: [WaybillJSONDecoder.DroppedItem]

    /// Creates an array with dropped items, for tests.
    ///
    /// - Parameters:
    ///   - elements: the successfully decoded elements, in array order.
    ///   - dropped: the elements that could not be decoded, with their indices in the original array.
    public init(elements: [Element], dropped: [WaybillJSONDecoder.DroppedItem] = []) {
        self.elements = elements
        self.dropped = dropped
    }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: Decodable where Element: Decodable {
    /// Decodes an array element by element, recording errors instead of throwing them.
    ///
    /// - Parameter decoder: any decoder whose value is an array.
    /// - Throws: `DecodingError` if the value is not an array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        var dropped: [WaybillJSONDecoder.DroppedItem] = []
        while !container.isAtEnd {
            let index = container.currentIndex
            switch try container.decode(Attempt<Element>.self).result {
            case .success(let element): elements.append(element)
            case .failure(let error): dropped.append(WaybillJSONDecoder.DroppedItem(index: index, error: error))
            }
        }
        self.init(elements: elements, dropped: dropped)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the elements as an array, without the dropped ones.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// A decoded value, or the error from decoding it.
///
/// Its initializer never throws, so decoding continues with the next element.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) {
        result = Result {
            // Decodes through a container, because only containers apply the decoder's strategies for `Date` and `URL`.
            let container = try decoder.singleValueContainer()
            return try container.decode(Value.self)
        }
    }
}

extension WaybillJSONDecoder {
    /// An array element omitted because it could not be decoded.
    public struct DroppedItem: Error, Sendable, CustomStringConvertible {
        /// The element's index in the array, starting at 0.
        public let index: Int

        /// The error: a `DecodingError`, or one thrown by the type's `init(from:)`.
        public let error: any Error

        /// Creates a dropped item, for tests.
        ///
        /// - Parameters:
        ///   - index: the element's index in the array, starting at 0.
        ///   - error: the error; ``diagnosis`` is nil unless the error was created by `WaybillJSONDecoder`.
        public init(index: Int, error: any Error) {
            self.index = index
            self.error = error
        }

        /// The diagnosis attached to the error by `WaybillJSONDecoder`; nil for any other error.
        public var diagnosis: WaybillJSONDecoder.Diagnosis? {
            (error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) }
        }

        /// The diagnosis if there is one; otherwise the index and the error.
        public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
    }
}
