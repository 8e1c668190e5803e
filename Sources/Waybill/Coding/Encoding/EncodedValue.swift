import WaybillSystem

/// An `Encodable` value as an ordered tree: the intermediate form for queries, forms and JSON.
///
/// Leaves, such as dates and URLs, keep their types (see ``ValueEncoder``). They are formatted when the tree is
/// written.
package enum EncodedValue: Sendable {
    /// A key and its value.
    package typealias Member = (key: String, value: EncodedValue)

    /// Members keyed by the coding keys of a type, in encoding order. Each key occurs once.
    case object([Member])
    /// Members keyed by data, such as those of a `Dictionary`, in sorted order. Each key occurs once.
    case dictionary([Member])
    /// Elements in order.
    case array([EncodedValue])
    /// An encoded nil.
    case null
    /// A value that is not decomposed.
    case leaf(any Encodable & Sendable)
}

extension EncodedValue: Encodable {
    /// A coding key created from a string or an index.
    package struct Key: CodingKey {
        package let stringValue: String
        package let intValue: Int?

        package init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        package init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    /// Encodes the tree like the original value, so that the encoder applies its strategies to dates, data and keys.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in members {
                try container.encode(value, forKey: Key(stringValue: key))
            }
        case .dictionary(let members):
            // Encoding a dictionary prevents a key strategy from converting keys that are data.
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(members.map { ($0.key, $0.value) }) { $1 })
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .leaf(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}

extension EncodedValue {
    /// The members of an object or a dictionary; nil for any other value.
    package var members: [Member]? {
        switch self {
        case .object(let members), .dictionary(let members): members
        case .array, .null, .leaf: nil
        }
    }

    /// Whether the value is null.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A description of the value's kind.
    var words: String {
        switch self {
        case .object, .dictionary: "an object"
        case .array: "an array"
        case .null: "null"
        case .leaf(let value): "a value of type \(type(of: value))"
        }
    }
}

/// A type that ``EncodedValue`` stores as a leaf.
protocol LeafValue: Encodable, Sendable {}

extension Bool: LeafValue {}
extension String: LeafValue {}
extension Double: LeafValue {}
extension Float: LeafValue {}
extension Int: LeafValue {}
extension Int8: LeafValue {}
extension Int16: LeafValue {}
extension Int32: LeafValue {}
extension Int64: LeafValue {}
extension UInt: LeafValue {}
extension UInt8: LeafValue {}
extension UInt16: LeafValue {}
extension UInt32: LeafValue {}
extension UInt64: LeafValue {}
extension Date: LeafValue {}
extension Decimal: LeafValue {}
extension Data: LeafValue {}
extension URL: LeafValue {}
extension UUID: LeafValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: LeafValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: LeafValue {}
