/// The elements of an array that could be decoded, and the errors of those that could not.
///
/// ```swift
/// let products = try decoder.decodeLossy([Product].self, from: data, at: "data")
/// for item in products.dropped { log("product \(item.index): \(item.error)") }
/// show(products.elements)
/// ```
///
/// As the type of a property, it works with every decoder, including Foundation's:
///
/// ```swift
/// struct Catalogue: Decodable {
///     let products: LossyArray<Product>
/// }
/// ```
public struct LossyArray<Element> {
    /// The elements that could be decoded, in array order.
    public let elements: [Element]

    /// The elements that could not be decoded, in array order.
    public let dropped: [WaybillJSONDecoder.DroppedItem]

    /// Creates an array with dropped items, for tests.
    ///
    /// - Parameters:
    ///   - elements: the elements that could be decoded, in array order.
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
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// A decoded value, or the error of decoding it.
///
/// Its initializer never throws, so decoding continues with the next element.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) {
        result = Result {
            // Decodes through the container, because the decoder's strategies for `Date` and `URL` only apply there.
            let container = try decoder.singleValueContainer()
            return try container.decode(Value.self)
        }
    }
}

extension WaybillJSONDecoder {
    /// An array element that was left out because it could not be decoded.
    public struct DroppedItem: Error, Sendable, CustomStringConvertible {
        /// The element's index in the array, starting at 0.
        public let index: Int

        /// The error: a `DecodingError`, or one that the type's `init(from:)` throws.
        public let error: any Error

        /// Creates a dropped item, for tests.
        ///
        /// - Parameters:
        ///   - index: the element's index in the array, starting at 0.
        ///   - error: the error; ``diagnosis`` is nil unless `WaybillJSONDecoder` created it.
        public init(index: Int, error: any Error) {
            self.index = index
            self.error = error
        }

        /// The diagnosis that `WaybillJSONDecoder` attached to the error; nil for any other error.
        public var diagnosis: WaybillJSONDecoder.Diagnosis? {
            (error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) }
        }

        /// The diagnosis, or the index and the error if it has no diagnosis.
        public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
    }
}
