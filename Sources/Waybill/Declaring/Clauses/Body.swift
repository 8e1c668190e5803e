import WaybillSystem

/// The body of the request; an endpoint has one.
///
/// ```swift
/// Body(draft)                                        // JSON
/// Body(draft, under: "product")                      // {"product":{…}}
/// Body(["id": id, "count": 1])                       // a literal, whose values may have several types
/// Body(form: ["grant_type": "password"])             // application/x-www-form-urlencoded
/// Body(form: pairs)                                  // the same, from a list made at run time
/// Body(formEncoding: login)                          // the same, of an Encodable
/// Body(lines: documents)                             // JSON Lines
/// Body(png, contentType: "image/png")
/// Body(file: video, contentType: "video/mp4")        // read when it is sent
/// ```
///
/// The encoder in scope writes JSON (see ``Encode``), with the keys and the nulls of ``Bodies`` in scope unless the
/// clause declares its own. A value that cannot be encoded is an ``APIError/RequestFailure``: nothing is sent.
public struct Body: Clause {
    package enum Content: Sendable {
        /// A value, in the format of the scope.
        case value(any Encodable & Sendable)
        /// A value as a form; the strategies that its style leaves open are the scope's.
        case form(any Encodable & Sendable, FormStyle)
        /// Form items as they are.
        case formItems([QueryItem])
        /// Changes, as a JSON merge patch unless the scope declares another format.
        case changes(any Encodable & Sendable)
        /// The difference between two states, as a patch too; its keys are those of the format already.
        case difference(Difference)
        /// A JSON document, whose keys are those of the format already.
        case document(JSONDocument)
        /// Bytes as they are.
        case bytes(HTTPBody, contentType: String)
        /// The content of a file at the time of the request.
        case file(URL, contentType: String)
        /// A form of several parts.
        case multipart([Part])
        /// JSON texts one after the other.
        case lines(Lines)
    }

    /// The difference between two states of an entity.
    package enum Difference: Sendable {
        /// A JSON merge patch, with the type of the entity's patches if that has another form perhaps.
        case mergePatch(JSONValue, ownType: String?)
        /// A JSON Patch.
        case jsonPatch(JSONPatch)
    }

    package let content: Content

    /// The keys around the value; nil leaves it to the scope.
    package let keys: [String]?

    /// Creates a body from a value, in the format of the scope: JSON unless another one is declared.
    ///
    /// - Parameter value: the value.
    public init(_ value: some Encodable & Sendable) { self.init(.value(value), keys: nil) }

    /// Creates a body from a value wrapped under keys, the outermost first.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - keys: the keys around the value, the outermost first.
    public init(_ value: some Encodable & Sendable, under keys: String...) { self.init(.value(value), keys: keys) }

    /// Creates a body from a value that stays unwrapped, even if the scope declares keys.
    ///
    /// - Parameter value: the value.
    public init(unwrapped value: some Encodable & Sendable) { self.init(.value(value), keys: []) }

    /// Creates `application/x-www-form-urlencoded` from form items in order.
    ///
    /// - Parameter items: names and values, not encoded.
    public init(form items: KeyValuePairs<String, String>) {
        self.init(.formItems(items.map { QueryItem(name: $0.key, value: $0.value) }), keys: nil)
    }

    /// Creates `application/x-www-form-urlencoded` from a list of form items.
    ///
    /// - Parameter items: names and values, not encoded.
    public init(form items: [(name: String, value: String)]) {
        self.init(.formItems(items.map { QueryItem(name: $0.name, value: $0.value) }), keys: nil)
    }

    /// Creates `application/x-www-form-urlencoded` from a list of form items; one without a value is a bare name.
    ///
    /// - Parameter items: names and values, not encoded.
    public init(form items: [URLQueryItem]) {
        let items = items.map { QueryItem(name: $0.name, pieces: $0.value.map { [$0] }) }
        self.init(.formItems(items), keys: nil)
    }

    /// Creates form items from a value, flattened as ``Query`` flattens one.
    ///
    /// Strategies that are not given are those of ``Bodies`` in scope.
    ///
    /// - Parameters:
    ///   - value: a struct, or a dictionary.
    ///   - arrays: the names of elements; ``FormStyle/Arrays/repeated`` unless declared.
    ///   - dates: the text of dates; ``FormStyle/Dates/iso8601`` unless declared.
    ///   - keys: the names of properties; those of dictionaries stay as they are.
    ///   - nulls: the text of null; ``FormStyle/Nulls/empty`` unless declared.
    ///   - empties: the items of an array or object without elements; see ``FormStyle/Empties``.
    public init(
        formEncoding value: some Encodable & Sendable,
        arrays: FormStyle.Arrays? = nil,
        dates: FormStyle.Dates? = nil,
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        nulls: FormStyle.Nulls? = nil,
        empties: FormStyle.Empties? = nil
    ) {
        let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
        self.init(.form(value, style), keys: nil)
    }

    /// Creates a body from bytes of a content type.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - contentType: the media type.
    public init(_ bytes: Data, contentType: String) {
        self.init(.bytes(HTTPBody(bytes), contentType: contentType), keys: nil)
    }

    /// Creates a body of a content type from bytes that are produced while they are sent.
    ///
    /// - Parameters:
    ///   - body: the bytes, or their source.
    ///   - contentType: the media type.
    public init(_ body: HTTPBody, contentType: String) { self.init(.bytes(body, contentType: contentType), keys: nil) }

    /// Creates a body of a content type from a file; see `HTTPBody.init(file:)`.
    ///
    /// A file that cannot be read at the time of the request is an ``APIError/RequestFailure``: nothing is sent.
    ///
    /// - Parameters:
    ///   - file: the URL of the file.
    ///   - contentType: the media type.
    public init(file: URL, contentType: String) { self.init(.file(file, contentType: contentType), keys: nil) }

    /// Does not compile in a declaration: bytes need a content type.
    ///
    /// An unavailable initializer would lose against the one for any `Encodable`, which `Data` is; one that throws wins
    /// against it, and declarations cannot throw.
    @available(*, deprecated, message: "say what the bytes are: Body(bytes, contentType: \"image/png\")")
    public init(_ bytes: Data) throws { self.init(bytes, contentType: "") }

    /// Does not compile in a declaration: a URL would be sent as text.
    @available(
        *,
        deprecated,
        message: "send the file: Body(file: url, contentType: \"image/png\"), or the text: Body(url.absoluteString)"
    )
    public init(_ file: URL) throws { self.init(file: file, contentType: "") }

    package init(_ content: Content, keys: [String]? = nil) {
        self.content = content
        self.keys = keys
    }

    /// Whether the clause itself declares the content type; that of a value is the encoder's.
    package var statesContentType: Bool {
        switch content {
        case .value, .changes, .difference, .document: false
        case .form, .formItems, .bytes, .file, .multipart, .lines: true
        }
    }

    /// Declares the body.
    public func declare(in scope: inout Scope) { scope.declareBody(self) }
}

extension Body: CustomStringConvertible, CustomReflectable {
    /// The type of the body's content; nothing of the content itself, which may be secret.
    public var description: String {
        switch content {
        case .value(let value), .form(let value, _), .changes(let value): "Body(\(type(of: value)))"
        case .difference: "Body(difference)"
        case .document: "Body(JSON)"
        case .formItems(let items): "Body(form: \(items.map(\.name).joined(separator: ", ")))"
        case .bytes(let body, let type): "Body(\(body) of \(type))"
        case .file(let file, let type): "Body(\(file.lastPathComponent) of \(type))"
        case .multipart(let parts): Multipart(parts).description
        case .lines(let lines): "Body(lines of \(lines.contentType))"
        }
    }

    /// The description alone: the properties may have secrets.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}

// Literals whose values have several types. The compiler takes these initializers only if no other fits, so that a
// dictionary with values of one type stays what it is.
extension Body {
    /// Creates an object from a literal whose values have several types.
    ///
    /// ```swift
    /// Body(["id": id, "count": 1])                            // {"count":1,"id":"a7"}
    /// Body(["id": id, "count": 1], under: "order")            // {"order":{"count":1,"id":"a7"}}
    /// Body(["order": ["id": .string(id), "count": 1]])        // objects in it are JSONValue
    /// ```
    ///
    /// - Parameters:
    ///   - members: the values by their names.
    ///   - keys: the keys around the object, the outermost first; without any, those of ``Bodies`` in scope.
    @_disfavoredOverload
    public init(_ members: [String: any Encodable & Sendable], under keys: String...) {
        self.init(.value(members.mapValues(AnyEncodable.init)), keys: keys.isEmpty ? nil : keys)
    }

    /// Creates JSON of any depth from a literal.
    ///
    /// - Parameters:
    ///   - json: the JSON value.
    ///   - keys: the keys around the value, the outermost first.
    @_disfavoredOverload
    public init(_ json: JSONValue, under keys: String...) { self.init(.value(json), keys: keys.isEmpty ? nil : keys) }

    /// Does not compile: a value in the literal cannot be encoded, or it has an object whose values have several types.
    @available(
        *,
        unavailable,
        message: "give values that can be encoded; in objects below, JSONValue: [\"name\": .string(name)]"
    )
    public init(_ members: [String: Any], under keys: String...) { self.init(.formItems([])) }
}
