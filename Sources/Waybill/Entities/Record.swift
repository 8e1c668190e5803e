/// An entity without fields of its own: a JSON object as the server has it, with its id under a named key.
///
/// ```swift
/// struct Message: Record {
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
/// Whatever the server adds is kept, and sent back by an update. An object without the key is a `DecodingError`.
public protocol Record: Entity where ID == RecordID, Draft == [String: JSONValue], Patch == [String: JSONValue] {
    /// The key of the id; `id` where nothing else is declared.
    static var idKey: String { get }

    /// The object's fields, the id among them.
    var fields: [String: JSONValue] { get set }

    /// Creates a record from its fields.
    init(fields: [String: JSONValue])
}

extension Record {
    /// The usual key: `id`.
    public static var idKey: String { "id" }

    /// The id; empty text, which no path takes, where the fields have none.
    public var id: RecordID { fields[Self.idKey].flatMap { RecordID($0) } ?? "" }

    /// A field of the object.
    public subscript(key: String) -> JSONValue? {
        get { fields[key] }
        set { fields[key] = newValue }
    }

    /// Decodes an object, which must have an id.
    public init(from decoder: any Decoder) throws {
        // Through the container: a decoder converts the keys of a dictionary only where it is asked by key.
        let fields = try decoder.singleValueContainer().decode([String: JSONValue].self)
        guard let id = fields[Self.idKey] else {
            throw DecodingError.keyNotFound(
                EnvelopeCodingKey(Self.idKey),
                .init(codingPath: decoder.codingPath, debugDescription: "the object has no id under this key")
            )
        }
        guard RecordID(id) != nil else {
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
