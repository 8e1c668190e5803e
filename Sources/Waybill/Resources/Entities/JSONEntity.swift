/// An entity without declared fields: a JSON object that contains its id under a known key.
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
/// Fields added by the server are kept and sent back by updates. Decoding an object that lacks the id throws a
/// `DecodingError`.
public protocol JSONEntity: Entity
where ID == JSONValue.EntityID, Draft == [String: JSONValue], Patch == [String: JSONValue] {
    /// The key of the id; `id` by default.
    static var idKey: String { get }

    /// The object's fields, including the id.
    var fields: [String: JSONValue] { get set }

    /// Creates an entity from its fields.
    ///
    /// - Parameter fields: the object's fields, including the id.
    init(fields: [String: JSONValue])
}

extension JSONEntity {
    /// The default key: `id`.
    public static var idKey: String { "id" }

    /// The id; an empty string, which is invalid in a path, if the fields contain no valid id.
    public var id: JSONValue.EntityID { fields[Self.idKey].flatMap { JSONValue.EntityID($0) } ?? "" }

    /// Accesses a field of the object.
    ///
    /// - Parameter key: the field's key in the JSON.
    /// - Returns: the field; nil if the object has no such field.
    public subscript(key: String) -> JSONValue? {
        get { fields[key] }
        set { fields[key] = newValue }
    }

    /// Decodes an object.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the value is not an object, or if its id is missing or neither an integer nor a
    ///   string.
    public init(from decoder: any Decoder) throws {
        // Uses a single-value container, because the decoder's key strategy applies only to keyed containers.
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
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}

extension JSONValue {
    /// The id of a ``JSONEntity``: an integer or a string.
    public enum EntityID: Sendable, Hashable, Codable, PathSegmentConvertible {
        /// An integer.
        case integer(Int)
        /// A string.
        case string(String)

        /// Creates an id from a JSON value; nil unless it is an integer or a string.
        ///
        /// - Parameter value: an integer or a string.
        public init?(_ value: JSONValue) {
            if let text = value.stringValue {
                self = .string(text)
            } else if let number = value.intValue {
                self = .integer(number)
            } else {
                return nil
            }
        }

        /// Decodes an integer or a string.
        ///
        /// - Parameter decoder: the decoder to read from.
        /// - Throws: `DecodingError` if the value is neither an integer nor a string.
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

        /// Encodes the integer or the string.
        ///
        /// - Parameter encoder: the encoder to write to.
        /// - Throws: any error thrown by the encoder.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .integer(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            }
        }

        /// Returns the integer's decimal digits, or the string.
        ///
        /// - Parameter value: the id.
        /// - Returns: the text of the path segment, not percent-encoded.
        public static func pathSegment(of value: Self) -> String {
            switch value {
            case .integer(let number): "\(number)"
            case .string(let text): text
            }
        }
    }
}

extension JSONValue.EntityID: CustomStringConvertible, CustomReflectable {
    /// The integer's decimal digits, or the string, as in a path.
    public var description: String { Self.pathSegment(of: self) }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [] as [String]) }
}

extension JSONValue.EntityID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates an id from an integer literal.
    ///
    /// - Parameter number: the integer.
    public init(integerLiteral number: Int) { self = .integer(number) }

    /// Creates an id from a string literal.
    ///
    /// - Parameter text: the string.
    public init(stringLiteral text: String) { self = .string(text) }
}
