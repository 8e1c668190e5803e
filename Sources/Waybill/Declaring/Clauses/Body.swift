import WaybillJSON
import WaybillSystem

/// The body of a request.
///
/// An endpoint has at most one body.
///
/// ```swift
/// Body(draft)                                        // JSON
/// Body(draft, under: "product")                      // {"product":{…}}
/// Body(["id": id, "count": 1])                       // a literal, whose values may have several types
/// Body(form: ["grant_type": "password"])             // application/x-www-form-urlencoded
/// Body(form: ["q": text, "limit": limit])            // any QueryValue; nothing for limit if it is nil
/// Body(form: pairs)                                  // the same, from a list made at run time
/// Body(formEncoding: login)                          // the same, of an Encodable
/// Body(lines: documents)                             // JSON Lines
/// Body(png, contentType: "image/png")
/// Body(file: video, contentType: "video/mp4")        // read when it is sent
/// ```
///
/// If a value cannot be encoded, the call fails with an ``APIError/RequestFailure`` and nothing is sent.
///
/// Other clauses configure the bodies of all calls in a scope, such as a client or a resource:
///
/// - ``Encode``: the spelling of keys, dates and data in JSON, or another encoder.
/// - ``Body/Format``: keys around each value, forms in place of JSON, `null` for nil.
/// - ``Body/Member``: an additional member of a body, such as an operation's id.
/// - ``Body/Differences``: the format of the patches computed by `patch(from:to:)`.
///
/// ``Multipart`` is a body with several parts, such as files.
public struct Body: Clause {
    package enum Content: Sendable {
        /// A value, in the format of the scope.
        case value(any Encodable & Sendable)
        /// A value as a form; strategies omitted from the style are inherited from the scope.
        case form(any Encodable & Sendable, FormStyle)
        /// Form items, unchanged.
        case formItems([QueryItem])
        /// Changes, sent as a JSON merge patch unless the scope declares a different format.
        case changes(any Encodable & Sendable)
        /// The difference between two states, sent as a patch; its keys are already in their wire format.
        case difference(Difference)
        /// A JSON document with keys already in their wire format.
        case document(JSONDocument)
        /// Bytes, unchanged.
        case bytes(HTTPBody, contentType: String)
        /// The content of a file, opened when the request is created and read while it is sent.
        case file(URL, contentType: String)
        /// A multipart form.
        case multipart([Multipart.Part])
        /// A list of JSON texts, encoded while they are sent.
        case lines(Lines)
    }

    /// The difference between two states of an entity.
    package enum Difference: Sendable {
        /// A JSON merge patch. `ownType` is the name of the entity's custom patch type, if its format may differ.
        case mergePatch(JSONValue, ownType: String?)
        /// A JSON Patch.
        case jsonPatch(JSONPatch)
    }

    package let content: Content

    /// The keys around the value; nil to use those of the scope.
    package let keys: [String]?

    /// The errors for form items whose values have no text representation.
    private let declarationErrors: [Scope.DeclarationError]

    /// Creates a body from a value, in the format of the scope: JSON unless a different one is declared.
    ///
    /// - Parameter value: the value.
    public init(_ value: some Encodable & Sendable) { self.init(.value(value), keys: nil) }

    /// Creates a body from a value wrapped in keys.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - keys: the keys around the value, outermost first; if empty, the value is not wrapped.
    public init(_ value: some Encodable & Sendable, under keys: String...) { self.init(.value(value), keys: keys) }

    /// Creates a body from an unwrapped value, even if the scope declares keys.
    ///
    /// - Parameter value: the value.
    public init(unwrapped value: some Encodable & Sendable) { self.init(.value(value), keys: []) }

    /// Creates an `application/x-www-form-urlencoded` body from a literal of form items.
    ///
    /// - Parameter items: the names and values, not percent-encoded, in order.
    @_disfavoredOverload
    public init(form items: KeyValuePairs<String, String>) {
        self.init(.formItems(items.map { QueryItem(name: $0.key, value: $0.value) }), keys: nil)
    }

    /// Creates an `application/x-www-form-urlencoded` body from a literal of form items with values of different types.
    ///
    /// ```swift
    /// Body(form: ["q": text, "since": date, "limit": limit])      // nothing for limit if it is nil
    /// ```
    ///
    /// Values are written as in a ``Query``. A value without a text representation, such as a non-finite number, is a
    /// declaration error: nothing is sent. An enum with a raw value only needs to declare conformance to
    /// ``QueryValue``.
    ///
    /// - Parameter items: the names and values, not percent-encoded, in order; items with nil values are omitted.
    public init(form items: KeyValuePairs<String, (any QueryValue)?>) {
        self.init(formItems: items.map { ($0.key, $0.value) })
    }

    /// Creates an `application/x-www-form-urlencoded` body from a list of form items.
    ///
    /// - Parameter items: the names and values, not percent-encoded, in order.
    @_disfavoredOverload
    public init(form items: [(name: String, value: String)]) {
        self.init(.formItems(items.map { QueryItem(name: $0.name, value: $0.value) }), keys: nil)
    }

    /// Creates an `application/x-www-form-urlencoded` body from a list of form items with values of different types.
    ///
    /// Values are written as in a ``Query``. A value without a text representation, such as a non-finite number, is a
    /// declaration error: nothing is sent.
    ///
    /// - Parameter items: the names and values, not percent-encoded, in order; items with nil values are omitted.
    public init(form items: [(name: String, value: (any QueryValue)?)]) {
        self.init(formItems: items.map { ($0.name, $0.value) })
    }

    /// Creates an `application/x-www-form-urlencoded` body from a list of query items.
    ///
    /// An item without a value is written as a bare name.
    ///
    /// - Parameter items: the names and values, not percent-encoded, in order.
    public init(form items: [URLQueryItem]) {
        let items = items.map { QueryItem(name: $0.name, pieces: $0.value.map { [$0] }) }
        self.init(.formItems(items), keys: nil)
    }

    /// Creates an `application/x-www-form-urlencoded` body from a value, flattened as in ``Query``.
    ///
    /// Omitted strategies are inherited from ``Body/Format`` in scope.
    ///
    /// - Parameters:
    ///   - value: a struct or a dictionary.
    ///   - arrays: how the elements of arrays become items; ``Query/ArrayStyle/repeated`` by default.
    ///   - dates: the format of dates; ISO 8601 with milliseconds by default. Seconds and milliseconds are written
    ///     as whole numbers.
    ///   - keys: the strategy for property names; dictionary keys are unchanged.
    ///   - nulls: the text of null; ``Query/NullStyle/empty`` by default.
    ///   - empties: how empty arrays and objects are written; see ``Query/EmptyStyle``.
    public init(
        formEncoding value: some Encodable & Sendable,
        arrays: Query.ArrayStyle? = nil,
        dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
        keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
        nulls: Query.NullStyle? = nil,
        empties: Query.EmptyStyle? = nil
    ) {
        let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
        self.init(.form(value, style), keys: nil)
    }

    /// Creates a body from bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes, which are sent unchanged.
    ///   - contentType: the media type.
    public init(_ bytes: Data, contentType: String) {
        self.init(.bytes(HTTPBody(bytes), contentType: contentType), keys: nil)
    }

    /// Creates a body from an `HTTPBody`, such as a stream.
    ///
    /// - Parameters:
    ///   - body: the bytes or their source.
    ///   - contentType: the media type.
    public init(_ body: HTTPBody, contentType: String) { self.init(.bytes(body, contentType: contentType), keys: nil) }

    /// Creates a body from the content of a file; see `HTTPBody.init(file:)`.
    ///
    /// If the file cannot be read when the request is created, the call fails with an ``APIError/RequestFailure`` and
    /// nothing is sent.
    ///
    /// - Parameters:
    ///   - file: the URL of the file.
    ///   - contentType: the media type.
    public init(file: URL, contentType: String) { self.init(.file(file, contentType: contentType), keys: nil) }

    // `Data` and `URL` are `Encodable`, so the compiler would prefer the general initializer to unavailable ones. These
    // are only deprecated, so the compiler prefers them, and the builders reject their optional result with a message.

    /// Does not compile in a declaration: bytes need a content type.
    ///
    /// - Parameter bytes: the bytes, without a content type.
    @available(*, deprecated, message: "give the content type of the bytes: Body(bytes, contentType: \"image/png\")")
    public init?(_ bytes: Data) { nil }

    /// Does not compile in a declaration: a URL would be sent as text.
    ///
    /// - Parameter file: the URL, which would be sent as text.
    @available(
        *,
        deprecated,
        message: "send the file: Body(file: url, contentType: \"image/png\"), or the text: Body(url.absoluteString)"
    )
    public init?(_ file: URL) { nil }

    private init(formItems values: [(name: String, value: (any QueryValue)?)]) {
        var items: [QueryItem] = []
        var errors: [Scope.DeclarationError] = []
        for case (let name, let value?) in values {
            if let text = value.queryItemText {
                items.append(QueryItem(name: name, value: text, declared: DeclaredValue(type(of: value))))
            } else {
                let shown = SecretNameSet.usual.contains(name) ? "…" : Query.shown(value)
                errors.reject("Body", "form: \(name.debugDescription), \(shown)", because: Query.noText(in: "form"))
            }
        }
        self.init(.formItems(items), rejecting: errors)
    }

    package init(_ content: Content, keys: [String]? = nil) { self.init(content, keys: keys, rejecting: []) }

    private init(_ content: Content, keys: [String]? = nil, rejecting errors: [Scope.DeclarationError]) {
        self.content = content
        self.keys = keys
        declarationErrors = errors
    }

    /// Whether the clause itself determines the content type; otherwise, the encoder does.
    package var statesContentType: Bool {
        switch content {
        case .value, .changes, .difference, .document: false
        case .form, .formItems, .bytes, .file, .multipart, .lines: true
        }
    }

    /// Declares the body.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        scope.declareBody(self)
        for error in declarationErrors { scope.declare(error) }
    }
}

extension Body: CustomStringConvertible, CustomReflectable {
    /// The type of the content.
    ///
    /// The content itself is omitted, because it may be secret.
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

    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}

// Initializers for literals with values of different types. The compiler uses them only if no other initializer fits,
// so a dictionary with values of a single type keeps its type.
extension Body {
    /// Creates a body from a dictionary literal with values of different types.
    ///
    /// ```swift
    /// Body(["id": id, "count": 1])                            // {"count":1,"id":"a7"}
    /// Body(["id": id, "count": 1], under: "order")            // {"order":{"count":1,"id":"a7"}}
    /// Body(["order": ["id": .string(id), "count": 1]])        // objects in it are JSONValue
    /// ```
    ///
    /// - Parameters:
    ///   - members: the values by name.
    ///   - keys: the keys around the object, outermost first; if empty, those of ``Body/Format`` in scope.
    @_disfavoredOverload
    public init(_ members: [String: any Encodable & Sendable], under keys: String...) {
        self.init(.value(members.mapValues(AnyEncodable.init)), keys: keys.isEmpty ? nil : keys)
    }

    /// Creates a body from a JSON literal.
    ///
    /// - Parameters:
    ///   - json: the JSON value.
    ///   - keys: the keys around the value, outermost first; if empty, those of ``Body/Format`` in scope.
    @_disfavoredOverload
    public init(_ json: JSONValue, under keys: String...) { self.init(.value(json), keys: keys.isEmpty ? nil : keys) }

    /// Does not compile: the literal contains a value that cannot be encoded, or a nested object with values of
    /// different types.
    ///
    /// - Parameters:
    ///   - members: the members, at least one of which is not `Encodable`.
    ///   - keys: the keys around the object, outermost first.
    @available(
        *,
        unavailable,
        message: "give values that can be encoded; in objects below, JSONValue: [\"name\": .string(name)]"
    )
    public init(_ members: [String: Any], under keys: String...) { self.init(.formItems([])) }
}
