import WaybillJSON
import WaybillSystem

/// A `multipart/form-data` request body (RFC 7578).
///
/// ```swift
/// Multipart {
///     Multipart.Part("title", title)
///     Multipart.Part("details", json: draft)
///     for photo in photos { Multipart.Part("photo", file: photo, contentType: "image/jpeg") }
/// }
/// ```
///
/// Parts are sent in order, and names can repeat. Files and streams are read while they are sent. The request has a
/// `Content-Length` if the length of each part is known. It can be resent after a redirect or in a retry if each part
/// can be read again. The boundary contains 128 random bits and is generated for each call plan.
public struct Multipart: Clause {
    package let parts: [Part]

    /// Creates a form from a block of parts, which can contain conditions and loops.
    ///
    /// - Parameter parts: the parts, in the order in which they are sent.
    public init(@Builder _ parts: () -> [Part]) { self.init(parts()) }

    /// Creates a form from a list of parts.
    ///
    /// - Parameter parts: the parts, in the order in which they are sent.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The clause as a body.
    package var body: Body { Body(.multipart(parts)) }

    /// Declares the body.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { body.declare(in: &scope) }
}

extension Multipart: CustomStringConvertible, CustomReflectable {
    /// The name, file name and type of each part.
    ///
    /// The contents are omitted, because they may be secret.
    public var description: String { "Multipart(\(parts.map(\.summary).joined(separator: ", ")))" }

    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}

extension Multipart {
    /// The result builder for the parts of a form.
    @resultBuilder
    public enum Builder {
        /// Accepts a part.
        ///
        /// - Parameter part: the part.
        /// - Returns: a list with the part.
        public static func buildExpression(_ part: Part) -> [Part] { [part] }

        /// Accepts a list of parts.
        ///
        /// - Parameter parts: the parts.
        /// - Returns: the parts.
        public static func buildExpression(_ parts: [Part]) -> [Part] { parts }

        /// Does not compile: only parts are allowed here.
        ///
        /// - Parameter value: anything other than a part.
        /// - Returns: the parts of the statement.
        @available(
            *,
            unavailable,
            message: "not a part: a form has Multipart.Part(\"name\", …); clauses belong around Multipart"
        )
        public static func buildExpression<Value>(_ value: Value) -> [Part] { [] }

        /// Joins the parts of a block.
        ///
        /// - Parameter parts: the parts of each statement.
        /// - Returns: all parts, in order.
        public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if` without `else`.
        ///
        /// - Parameter parts: the parts of the block; nil if the condition is false.
        /// - Returns: the parts of the block, if any.
        public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }

        /// Builds the first branch of `if` or `switch`.
        ///
        /// - Parameter parts: the parts of the branch.
        /// - Returns: the parts.
        public static func buildEither(first parts: [Part]) -> [Part] { parts }

        /// Builds the second branch of `if` or `switch`.
        ///
        /// - Parameter parts: the parts of the branch.
        /// - Returns: the parts.
        public static func buildEither(second parts: [Part]) -> [Part] { parts }

        /// Builds `for`.
        ///
        /// - Parameter parts: the parts of each iteration.
        /// - Returns: the parts of all iterations.
        public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if #available`.
        ///
        /// - Parameter parts: the parts of the block.
        /// - Returns: the parts.
        public static func buildLimitedAvailability(_ parts: [Part]) -> [Part] { parts }
    }
}

extension Multipart {
    /// A part of a ``Multipart`` body: a form field or a file.
    ///
    /// ```swift
    /// Multipart.Part("title", title)                                     // nothing if it is nil
    /// Multipart.Part("details", json: draft)                             // application/json
    /// Multipart.Part("filter", formEncoding: filter)                     // a part for each value: filter[price][min]
    /// Multipart.Part("photo", file: photo, contentType: "image/jpeg")    // read while it is sent
    /// Multipart.Part("preview", png, fileName: "preview.png", contentType: "image/png")
    /// Multipart.Part("log", stream, fileName: "log.txt", contentType: "text/plain")  // an HTTPBody, such as a stream
    /// ```
    ///
    /// Names and file names are escaped as in browsers: `"` becomes `%22`, a line feed `%0A` and a carriage return
    /// `%0D`. Backslashes are doubled as well. Any other control character except a tab is a declaration error, as is a
    /// content type that is not a valid field value: nothing is sent.
    public struct Part: Sendable {
        package enum Content: Sendable {
            /// No part, for a nil value.
            case none
            /// Text; nil for a value without a text representation.
            case text(String?)
            /// A file URL passed as a scalar, which is a declaration error, because its text would be sent instead of
            /// the file.
            case fileAsText
            /// A value as JSON, encoded with the encoder in scope.
            case json(any Encodable & Sendable)
            /// A value as form items; strategies omitted from the style are inherited from the scope.
            case form(any Encodable & Sendable, FormStyle)
            /// Bytes, unchanged.
            case bytes(HTTPBody)
            /// The content of a file, opened when the request is created and read while it is sent.
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

        /// Creates a form field from a scalar.
        ///
        /// Line breaks in its text become CRLF, as in browsers. A file URL is a declaration error: pass it as `file` to
        /// send the file.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - value: the value, such as a string or a number; nil creates no part.
        ///   - contentType: the media type; nil to send no media type, as browsers do.
        public init<Value: QueryValue>(_ name: String, _ value: Value?, contentType: String? = nil) {
            let isFile = (value as? URL)?.isFileURL ?? false
            let content: Content = isFile ? .fileAsText : value.map { .text($0.queryItemText) } ?? .none
            self.init(name, content, contentType: contentType)
        }

        /// Creates a JSON part, using the encoder in scope if it writes JSON; see ``Encode``.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - value: the value to encode.
        ///   - contentType: the media type.
        public init(_ name: String, json value: some Encodable & Sendable, contentType: String = "application/json") {
            self.init(name, .json(value), contentType: contentType)
        }

        /// Creates one part for each member of a value, flattened as in ``Query``.
        ///
        /// Omitted strategies are inherited from ``Body/Format`` in scope.
        ///
        /// - Parameters:
        ///   - name: the prefix of all names, as in `name[key]`; nil to use the keys as names.
        ///   - value: a struct or a dictionary, or any value if `name` is given.
        ///   - arrays: how the elements of arrays become parts; ``Query/ArrayStyle/repeated`` by default.
        ///   - dates: the format of dates; ISO 8601 with milliseconds by default. Seconds and milliseconds are
        ///     written as whole numbers.
        ///   - keys: the strategy for property names; dictionary keys are unchanged.
        ///   - nulls: the text of null; ``Query/NullStyle/empty`` by default.
        ///   - empties: how empty arrays and objects are written; see ``Query/EmptyStyle``.
        public init(
            _ name: String? = nil,
            formEncoding value: some Encodable & Sendable,
            arrays: Query.ArrayStyle? = nil,
            dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
            keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
            nulls: Query.NullStyle? = nil,
            empties: Query.EmptyStyle? = nil
        ) {
            let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
            self.init(name, .form(value, style))
        }

        /// Creates a part from a file, which is read while it is sent; see `HTTPBody.init(file:)`.
        ///
        /// If the file cannot be read when the request is created, the call fails with an ``APIError/RequestFailure``
        /// and nothing is sent.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - file: the URL of a regular file.
        ///   - fileName: the file name to send; nil to use the last path component of `file`.
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
        ///   - bytes: the bytes, which are sent unchanged.
        ///   - fileName: the file name to send; nil if the part is not a file.
        ///   - contentType: the media type; if nil, `application/octet-stream` for a part with a file name, and no
        ///     media type otherwise.
        public init(_ name: String, _ bytes: Data, fileName: String? = nil, contentType: String? = nil) {
            self.init(name, HTTPBody(bytes), fileName: fileName, contentType: contentType)
        }

        /// Creates a part from a body, such as a stream of bytes.
        ///
        /// If the body's length is unknown, the request has no `Content-Length`. If the body cannot be read again, the
        /// request is sent only once.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - body: the bytes, which are sent unchanged.
        ///   - fileName: the file name to send; nil if the part is not a file.
        ///   - contentType: the media type; if nil, `application/octet-stream` for a part with a file name, and no
        ///     media type otherwise.
        public init(_ name: String, _ body: HTTPBody, fileName: String? = nil, contentType: String? = nil) {
            let type = contentType ?? (fileName == nil ? nil : Self.unknownContentType)
            self.init(name, .bytes(body), fileName: fileName, contentType: type)
        }

        /// The media type for files with unknown content (RFC 7578, section 4.4).
        public static var unknownContentType: String { "application/octet-stream" }
    }
}

extension Multipart.Part: CustomStringConvertible, CustomReflectable {
    /// The name, the file name and the type.
    ///
    /// The content is omitted, because it may be secret.
    public var description: String { "Multipart.Part(\(summary))" }

    /// The description only, because the properties may contain secrets.
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
