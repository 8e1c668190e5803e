/// An entity without declared fields: a JSON object as the server has it, with its id under a named key.
///
/// ```swift
/// struct Message: JSONEntity {
///     static let idKey = "message_id"
///     var fields: [String: JSONValue]
///     init(fields: [String: JSONValue]) { self.fields = fields }
/// }
///
/// var messages: Resource<Message, ReadWrite> { resource("messages") }
/// let sent = try await messages.create(["text": "hi"])
/// sent["text"]        // "hi"
/// ```
///
/// Fields that the server adds are kept, and sent back by an update. An object without the key is a `DecodingError`.
public protocol JSONEntity: Entity
where ID == JSONValue.EntityID, Draft == [String: JSONValue], Patch == [String: JSONValue] {
    /// The key of the id; `id` unless another one is declared.
    static var idKey: String { get }

    /// The object's fields, the id among them.
    var fields: [String: JSONValue] { get set }

    /// Creates an entity from its fields.
    init(fields: [String: JSONValue])
}

extension JSONEntity {
    /// The usual key: `id`.
    public static var idKey: String { "id" }

    /// The id; if the fields have none, empty text, which no path takes.
    public var id: JSONValue.EntityID { fields[Self.idKey].flatMap { JSONValue.EntityID($0) } ?? "" }

    /// Accesses a field of the object.
    ///
    /// - Parameter key: the key, as the server writes it.
    /// - Returns: the field; nil without one.
    public subscript(key: String) -> JSONValue? {
        get { fields[key] }
        set { fields[key] = newValue }
    }

    /// Decodes an object.
    ///
    /// - Parameter decoder: the decoder.
    /// - Throws: `DecodingError` for an object without an id, or with one that is no whole number or text.
    public init(from decoder: any Decoder) throws {
        // Through the container: a decoder converts the keys of a dictionary only if each is decoded by its key.
        let fields = try decoder.singleValueContainer().decode([String: JSONValue].self)
        guard let id = fields[Self.idKey] else {
            throw DecodingError.keyNotFound(
                EnvelopeCodingKey(Self.idKey),
                .init(codingPath: decoder.codingPath, debugDescription: "the object has no id under this key")
            )
        }
        guard JSONValue.EntityID(id) != nil else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [EnvelopeCodingKey(Self.idKey)],
                    debugDescription: "an id is a whole number or text, not \(id)"
                )
            )
        }
        self.init(fields: fields)
    }

    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}

extension JSONValue {
    /// The id of a ``JSONEntity``: a whole number or text, as the server has it.
    public enum EntityID: Sendable, Hashable, Codable, PathSegmentConvertible {
        /// A whole number.
        case integer(Int)
        /// Text.
        case string(String)

        /// Creates an id from a JSON value; nil for a value that cannot be one.
        ///
        /// - Parameter value: a whole number, or text.
        public init?(_ value: JSONValue) {
            if let text = value.stringValue {
                self = .string(text)
            } else if let number = value.intValue {
                self = .integer(number)
            } else {
                return nil
            }
        }

        /// Decodes a whole number or text.
        public init(from decoder: any Decoder) throws {
            let value = try JSONValue(from: decoder)
            guard let id = JSONValue.EntityID(value) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "an id is a whole number or text, not \(value)"
                    )
                )
            }
            self = id
        }

        /// Encodes the number or the text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .integer(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            }
        }

        /// Returns the number's digits, or the text.
        public static func pathSegment(of value: Self) -> String {
            switch value {
            case .integer(let number): "\(number)"
            case .string(let text): text
            }
        }
    }
}

extension JSONValue.EntityID: CustomStringConvertible, CustomReflectable {
    /// The number's digits, or the text: as a path has it.
    public var description: String { Self.pathSegment(of: self) }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [] as [String]) }
}

extension JSONValue.EntityID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates an id from a whole number.
    public init(integerLiteral number: Int) { self = .integer(number) }

    /// Creates an id from text.
    public init(stringLiteral text: String) { self = .string(text) }
}
