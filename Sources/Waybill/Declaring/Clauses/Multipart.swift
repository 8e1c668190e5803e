import WaybillSystem

/// The body of the request as a form of several parts, `multipart/form-data` (RFC 7578); an endpoint has one body.
///
/// ```swift
/// Multipart {
///     Part("title", title)
///     Part("details", json: draft)
///     for photo in photos { Part("photo", file: photo, contentType: "image/jpeg") }
/// }
/// ```
///
/// The parts are sent in their order, also several of one name. Files and streams are read while they are sent. The
/// request has a `Content-Length` if the length of each part is known, and can be sent again, by a redirect or a retry,
/// if each part can be read again. The boundary is made of 128 random bits for each plan of a call.
public struct Multipart: Clause {
    package let parts: [Part]

    /// Creates a form from parts, with conditions and loops.
    ///
    /// - Parameter parts: the parts, in the order in which they are sent.
    public init(@Builder _ parts: () -> [Part]) { self.init(parts()) }

    /// Creates a form from a list of parts that is made at run time.
    ///
    /// - Parameter parts: the parts, in the order in which they are sent.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The clause as the body that it is.
    package var body: Body { Body(.multipart(parts)) }

    /// Declares the body.
    public func declare(in scope: inout Scope) { body.declare(in: &scope) }
}

extension Multipart: CustomStringConvertible, CustomReflectable {
    /// The names of the parts with their file names and types; nothing of their contents, which may be secret.
    public var description: String { "Multipart(\(parts.map(\.summary).joined(separator: ", ")))" }

    /// The description alone: the properties may have secrets.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}

extension Multipart {
    /// Builds the parts of a form.
    @resultBuilder
    public enum Builder {
        /// Takes a part.
        public static func buildExpression(_ part: Part) -> [Part] { [part] }

        /// Takes a list of parts.
        public static func buildExpression(_ parts: [Part]) -> [Part] { parts }

        /// Does not compile: only parts are allowed here.
        @available(*, unavailable, message: "not a part: a form has Part(\"name\", …); clauses belong around Multipart")
        public static func buildExpression<Value>(_ value: Value) -> [Part] { [] }

        /// Joins parts.
        public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if` without `else`.
        public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }

        /// Builds the first branch.
        public static func buildEither(first parts: [Part]) -> [Part] { parts }

        /// Builds the second branch.
        public static func buildEither(second parts: [Part]) -> [Part] { parts }

        /// Builds `for`.
        public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if #available`.
        public static func buildLimitedAvailability(_ parts: [Part]) -> [Part] { parts }
    }
}

/// A part of a ``Multipart`` body: a field of a form, or a file.
///
/// ```swift
/// Part("title", title)                                               // nothing if it is nil
/// Part("details", json: draft)                                       // application/json
/// Part("filter", formEncoding: filter)                               // filter[price][min]: a part for each value
/// Part("photo", file: photo, contentType: "image/jpeg")              // read while it is sent
/// Part("preview", png, fileName: "preview.png", contentType: "image/png")
/// Part("log", stream, fileName: "log.txt", contentType: "text/plain")  // an HTTPBody, such as a stream
/// ```
///
/// Names and file names are escaped as browsers do: `"` becomes `%22`, a line feed `%0A`, a carriage return `%0D`. One
/// with another control character is a declaration error, as is a content type that no header field can have: nothing
/// is sent.
public struct Part: Sendable {
    package enum Content: Sendable {
        /// No part, of a value that is nil.
        case none
        /// A text; nil for a value that has none.
        case text(String?)
        /// The URL of a file, which would be sent as text.
        case fileAsText
        /// A value as JSON, by the encoder in scope.
        case json(any Encodable & Sendable)
        /// A value as form items; the strategies that its style leaves open are the scope's.
        case form(any Encodable & Sendable, FormStyle)
        /// Bytes as they are.
        case bytes(HTTPBody)
        /// The content of a file at the time of the request.
        case file(URL)
    }

    package let name: String?
    package let content: Content
    package let fileName: String?
    package let contentType: String?

    private init(_ name: String?, _ content: Content, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
    }

    /// Creates a field of a form from a scalar.
    ///
    /// Line breaks in its text become CRLF, as in browsers. The URL of a file is a declaration error: the parameter
    /// `file` sends the file.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - value: the value, such as a string or a number; nil makes no part.
    ///   - contentType: the media type; nil for none, as browsers do.
    public init<Value: QueryValue>(_ name: String, _ value: Value?, contentType: String? = nil) {
        let isFile = (value as? URL)?.isFileURL ?? false
        let content: Content = isFile ? .fileAsText : value.map { .text($0.queryItemText) } ?? .none
        self.init(name, content, contentType: contentType)
    }

    /// Creates a part of JSON, by the encoder in scope if that writes JSON; see ``Encode``.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - value: the value.
    ///   - contentType: the media type.
    public init(_ name: String, json value: some Encodable & Sendable, contentType: String = "application/json") {
        self.init(name, .json(value), contentType: contentType)
    }

    /// Creates a part for each value in a value, flattened as ``Query`` flattens one.
    ///
    /// Strategies that are not given are those of ``Bodies`` in scope.
    ///
    /// - Parameters:
    ///   - name: the name of the whole: `name[key]` is that of a value in it. Without one the keys are the names.
    ///   - value: a struct, or a dictionary; with a name, any value.
    ///   - arrays: the names of elements; ``FormStyle/Arrays/repeated`` unless declared.
    ///   - dates: the text of dates; ``FormStyle/Dates/iso8601`` unless declared.
    ///   - keys: the names of properties; those of dictionaries stay as they are.
    ///   - nulls: the text of null; ``FormStyle/Nulls/empty`` unless declared.
    ///   - empties: the items of an array or object without elements; see ``FormStyle/Empties``.
    public init(
        _ name: String? = nil,
        formEncoding value: some Encodable & Sendable,
        arrays: FormStyle.Arrays? = nil,
        dates: FormStyle.Dates? = nil,
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        nulls: FormStyle.Nulls? = nil,
        empties: FormStyle.Empties? = nil
    ) {
        let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
        self.init(name, .form(value, style))
    }

    /// Creates a part from a file, which is read while it is sent; see `HTTPBody.init(file:)`.
    ///
    /// A file that cannot be read at the time of the request is an ``APIError/RequestFailure``: nothing is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - file: the URL of a regular file.
    ///   - fileName: the name that the server is told; nil for that of the file, without its folder.
    ///   - contentType: the media type.
    public init(
        _ name: String,
        file: URL,
        fileName: String? = nil,
        contentType: String = Self.unknownContentType
    ) {
        self.init(name, .file(file), fileName: fileName ?? file.lastPathComponent, contentType: contentType)
    }

    /// Creates a part from bytes in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - bytes: the bytes, which are sent as they are.
    ///   - fileName: the name of a file that the part is for the server; nil for any other part.
    ///   - contentType: the media type; nil for `application/octet-stream` of a file, and for none of another part.
    public init(_ name: String, _ bytes: Data, fileName: String? = nil, contentType: String? = nil) {
        self.init(name, HTTPBody(bytes), fileName: fileName, contentType: contentType)
    }

    /// Creates a part from a body, such as a stream of bytes.
    ///
    /// If its length is not known, the request has no `Content-Length`; if it cannot be read again, the request is
    /// sent once.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - body: the bytes, which are sent as they are.
    ///   - fileName: the name of a file that the part is for the server; nil for any other part.
    ///   - contentType: the media type; nil for `application/octet-stream` of a file, and for none of another part.
    public init(_ name: String, _ body: HTTPBody, fileName: String? = nil, contentType: String? = nil) {
        let type = contentType ?? (fileName == nil ? nil : Self.unknownContentType)
        self.init(name, .bytes(body), fileName: fileName, contentType: type)
    }

    /// The media type of a file of which nothing is known (RFC 7578, section 4.4).
    public static var unknownContentType: String { "application/octet-stream" }
}

extension Part: CustomStringConvertible, CustomReflectable {
    /// The name, the file name and the type; nothing of the content, which may be secret.
    public var description: String { "Part(\(summary))" }

    /// The description alone: the properties may have secrets.
    public var customMirror: Mirror { Mirror(self, children: ["part": description], displayStyle: .struct) }

    /// The name, the file name and the type.
    package var summary: String {
        let shownName = name ?? "form"
        switch (fileName, contentType) {
        case (let file?, let type?): return "\(shownName): \(file) of \(type)"
        case (let file?, nil): return "\(shownName): \(file)"
        case (nil, let type?): return "\(shownName) of \(type)"
        case (nil, nil): return shownName
        }
    }
}
