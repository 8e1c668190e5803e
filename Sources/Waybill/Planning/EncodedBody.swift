import WaybillSystem

/// The encoded body of a request, with its format.
package struct EncodedBody: Sendable {
    /// The format of the bytes, which the content type must match.
    package enum Format: Sendable, Hashable {
        /// `application/x-www-form-urlencoded`.
        case form
        /// The format of the encoder in scope.
        case encoded
        /// Bytes and a media type from the clause.
        case given
        /// `multipart/form-data`.
        case multipart
    }

    /// The bytes.
    package let body: HTTPBody

    /// The media type of the bytes.
    package let contentType: String?

    /// The keys that enclose the value, outermost first.
    package let keys: [String]

    /// The format of the bytes.
    package let format: Format

    /// Whether the bytes are JSON, possibly under a different media type.
    let isJSON: Bool

    /// The parts of a multipart form; nil for other bodies.
    let form: MultipartForm?

    /// The entity encoded in a form; nil for other bodies.
    var formEntity: FormEntity?

    /// The entity encoded in a form, kept because a form does not preserve the types of values.
    struct FormEntity: Sendable {
        /// The entity; nil if the form was encoded from JSON, or if a clause added a member that may belong to the
        /// entity.
        var value: (any Sendable)?

        /// Returns the entity and the added members as JSON, written by the encoder in scope without enclosing keys.
        var document: @Sendable () throws -> JSONValue
    }

    init(
        _ body: HTTPBody,
        contentType: String?,
        keys: [String] = [],
        format: Format,
        isJSON: Bool? = nil,
        form: MultipartForm? = nil
    ) {
        self.isJSON = isJSON ?? contentType.map { MediaType($0).isJSON } ?? false
        self.form = form
        self.body = body
        self.contentType = contentType
        self.keys = keys
        self.format = format
    }

    /// The error for a body, part or member that cannot be sent.
    struct Rejection: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The errors in the parts of a form.
    struct RejectedParts: Error {
        let declarationErrors: [Scope.DeclarationError]
    }

    /// Encodes the body of a clause with the declared encoding.
    ///
    /// - Parameters:
    ///   - body: the clause.
    ///   - encoding: the declared encoding.
    ///   - randomBits: a closure that returns 64 random bits, for a boundary.
    ///   - boundary: the boundary to reuse if a form's upload is resumed; nil to generate one.
    /// - Throws: any error thrown while encoding a value, or ``RejectedParts``.
    init(_ body: Body, by encoding: Encoding, randomBits: () -> UInt64, boundary: String?) throws {
        let format = encoding.format
        switch body.content {
        case .value(let value):
            self = try encoding.body(of: value, under: body.keys ?? format?.keys(of: value) ?? [])
        case .changes(let changes):
            self = try encoding.patch(changes, under: body.keys ?? format?.itemKeys ?? [])
        case .difference(.mergePatch(let difference, _)):
            self = try encoding.patch(difference: difference, under: body.keys ?? format?.itemKeys ?? [])
        case .difference(.jsonPatch(let patch)):
            self = try encoding.patch(patch)
        case .document(let document):
            self = try encoding.body(ofDocument: document, under: body.keys ?? format?.itemKeys ?? [])
        case .form(let value, let style):
            self = try encoding.form(value, under: body.keys ?? [], as: style)
        case .formItems(let items):
            self.init(form: items)
        case .bytes(let bytes, let contentType):
            self.init(bytes, contentType: contentType, format: .given)
        case .file(let file, let contentType):
            self.init(try HTTPBody(file: file), contentType: contentType, format: .given)
        case .multipart(let parts):
            self.init(MultipartForm(try encoding.parts(parts), randomBits: randomBits, boundary: boundary))
        case .lines(let lines):
            let body = lines.body(encoding.line(isTextSequence: lines.isTextSequence))
            self.init(body, contentType: lines.contentType, format: .given)
        }
    }

    init(_ form: MultipartForm) {
        self.init(form.body, contentType: form.contentType, format: .multipart, form: form)
    }

    init(form items: [QueryItem], keys: [String] = []) {
        // A form encodes spaces as plus signs (WHATWG URL, section 5.2); literal plus signs are already
        // percent-encoded.
        let text = items.map(\.encoded).joined(separator: "&").replacing(bytes: "%20", with: "+")
        self.init(
            HTTPBody(Data(text.utf8)),
            contentType: "application/x-www-form-urlencoded",
            keys: keys,
            format: .form
        )
    }

    /// Returns the type of a body's content, for error texts.
    package static func typeName(of body: Body) -> String {
        switch body.content {
        case .value(let value), .form(let value, _), .changes(let value): "\(type(of: value))"
        case .difference: "patch(from:to:)"
        case .document: "JSON"
        case .formItems: "form"
        case .bytes(_, let contentType): contentType
        case .file(let file, _): "file: \(file.lastPathComponent)"
        case .multipart: "form of parts"
        case .lines(let lines): lines.contentType
        }
    }
}
