import Foundation

/// The body of the request; an endpoint has one.
///
/// ```swift
/// Body(draft)                                        // JSON
/// Body(draft, under: "product")                      // {"product":{…}}
/// Body(form: ["grant_type": "password"])             // application/x-www-form-urlencoded
/// Body(formEncoding: login)                          // the same, of an Encodable
/// Body(png, contentType: "image/png")
/// Body(file: video, contentType: "video/mp4")        // read when it is sent
/// ```
///
/// JSON is written by the encoder in scope (see ``Encode``), wrapped and with nulls as ``Bodies`` in scope says where
/// the clause itself says nothing. A value that cannot be encoded is a ``RequestFailure``: nothing is sent.
public struct Body: Clause {
    package enum Content: Sendable {
        /// A value, in the format that the scope says.
        case value(any Encodable & Sendable)
        /// A value as a form.
        case form(any Encodable & Sendable)
        /// Form items as they are.
        case formItems([QueryItem])
        /// A value as JSON whatever the scope says, of a content type of its own.
        case mergePatch(any Encodable & Sendable)
        /// Bytes as they are.
        case bytes(HTTPBody, contentType: String)
        /// What is in a file when the request is made.
        case file(URL, contentType: String)
    }

    package let content: Content

    /// The keys around the value; nil leaves it to the scope.
    package let keys: [String]?

    /// A value, in the format of the scope: JSON where nothing else is declared.
    public init(_ value: some Encodable & Sendable) { self.init(.value(value), keys: nil) }

    /// A value wrapped under keys, the outermost first.
    public init(_ value: some Encodable & Sendable, under keys: String...) { self.init(.value(value), keys: keys) }

    /// A value that stays unwrapped, whatever the scope says.
    public init(unwrapped value: some Encodable & Sendable) { self.init(.value(value), keys: []) }

    /// Form items in order, as `application/x-www-form-urlencoded`.
    public init(form items: KeyValuePairs<String, String>) {
        self.init(.formItems(items.map { QueryItem(name: $0.key, value: $0.value) }), keys: nil)
    }

    /// A value flattened into form items, as ``Query`` flattens one.
    public init(formEncoding value: some Encodable & Sendable) { self.init(.form(value), keys: nil) }

    /// Bytes of a content type.
    public init(_ bytes: Data, contentType: String) {
        self.init(.bytes(HTTPBody(bytes), contentType: contentType), keys: nil)
    }

    /// Bytes that are produced as they are sent, of a content type.
    public init(_ body: HTTPBody, contentType: String) { self.init(.bytes(body, contentType: contentType), keys: nil) }

    /// What is in a file, of a content type; see ``HTTPBody/init(file:)``.
    ///
    /// A file that is not there or cannot be read when the request is made is a ``RequestFailure``: nothing is sent.
    public init(file: URL, contentType: String) { self.init(.file(file, contentType: contentType), keys: nil) }

    /// Does not compile in a declaration: bytes need a content type.
    ///
    /// An unavailable initializer would lose against the one for any `Encodable`, which `Data` is; one that throws wins
    /// against it, and declarations cannot throw.
    @available(*, deprecated, message: "say what the bytes are: Body(bytes, contentType: \"image/png\")")
    public init(_ bytes: Data) throws { self.init(bytes, contentType: "") }

    package init(_ content: Content, keys: [String]? = nil) {
        self.content = content
        self.keys = keys
    }

    /// Whether the clause itself says what the content type is; a value's is the encoder's.
    package var statesContentType: Bool {
        if case .value = content { false } else { true }
    }

    /// Declares the body.
    public func declare(in scope: inout Scope) { scope.declareBody(self) }
}

extension Body: CustomStringConvertible, CustomReflectable {
    /// What the body is made of, by its type; nothing of its content, which may be secret.
    public var description: String {
        switch content {
        case .value(let value), .form(let value), .mergePatch(let value): "Body(\(type(of: value)))"
        case .formItems(let items): "Body(form: \(items.map(\.name).joined(separator: ", ")))"
        case .bytes(let body, let type): "Body(\(body) of \(type))"
        case .file(let file, let type): "Body(\(file.lastPathComponent) of \(type))"
        }
    }

    /// The description.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}
