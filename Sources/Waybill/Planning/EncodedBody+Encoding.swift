import WaybillSystem

extension EncodedBody {
    /// The encoding declared for a call's body, which applies the same rules to values, changes and differences.
    struct Encoding {
        let format: Body.Format?
        let encode: Encode?

        /// Whether the request changes an existing resource, where omitting an empty array would leave the old array
        /// in place.
        let isChange: Bool

        private var empties: Query.EmptyStyle? { isChange ? nil : .omitted }

        private var nils: Body.Format.NilStyle { format?.nils ?? .omitted }

        private var isForm: Bool { format?.syntax?.kind == .form }

        private var contentType: String { encode?.contentType ?? JSONRequestEncoder.mediaType }

        /// Whether the encoder in scope writes JSON, possibly under a different media type.
        private var isJSON: Bool { encoder is JSONRequestEncoder || MediaType(contentType).isJSON }

        /// The content type of a patch: `application/merge-patch+json` (RFC 7396), unless another content type is
        /// declared or the encoder's is not `application/json`.
        private var patchContentType: String {
            encode?.declaredContentType == nil && contentType == JSONRequestEncoder.mediaType
                ? "application/merge-patch+json" : contentType
        }

        private var encoder: any RequestEncoder {
            guard let encoder = encode?.encoder else { return JSONDefaults.requestEncoder }
            guard let encoder = encoder as? JSONRequestEncoder else { return encoder }
            return encoder.rejectingUnwritableDates
        }

        /// Encodes a value.
        func body(of value: any Encodable & Sendable, under keys: [String]) throws -> EncodedBody {
            if isForm {
                var body = try form(value, under: keys)
                body.formEntity = FormEntity(value: value) {
                    try JSONDefaults.decoder.decode(JSONValue.self, from: json(value))
                }
                return body
            }
            let bytes = try bytes(of: value, under: keys)
            return EncodedBody(bytes, contentType: contentType, keys: keys, format: .encoded, isJSON: isJSON)
        }

        /// Encodes changes.
        func patch(_ changes: any Encodable & Sendable, under keys: [String]) throws -> EncodedBody {
            if let patch = changes as? JSONPatch { return try self.patch(patch) }
            if isForm { return try form(changes, under: keys) }
            let bytes = try bytes(of: changes, under: keys)
            return EncodedBody(bytes, contentType: patchContentType, keys: keys, format: .encoded, isJSON: isJSON)
        }

        /// Encodes a difference between two states without converting its keys, because it is already JSON.
        func patch(difference: JSONValue, under keys: [String]) throws -> EncodedBody {
            try body(ofDocument: JSONDocument(difference), under: keys, contentType: patchContentType)
        }

        /// Encodes a document without converting its keys, because it is already JSON.
        func body(ofDocument document: JSONDocument, under keys: [String]) throws -> EncodedBody {
            try body(ofDocument: document, under: keys, contentType: contentType)
        }

        private func body(
            ofDocument document: JSONDocument,
            under keys: [String],
            contentType: String
        ) throws -> EncodedBody {
            if isForm {
                var body = try form(document.value, under: keys)
                body.formEntity = FormEntity { document.value }
                return body
            }
            let bytes: HTTPBody
            if document.hasSource {
                // A document from a response keeps its original text.
                let text = keys.reversed().reduce(document.text) { "{\(JSONValue.string($1)):\($0)}" }
                bytes = HTTPBody(Data(text.utf8))
            } else {
                let wrapped = keys.reversed().reduce(document.value) { value, key in .object([key: value]) }
                bytes = HTTPBody(try JSONDefaults.encoder.encode(wrapped))
            }
            return EncodedBody(bytes, contentType: contentType, keys: keys, format: .encoded, isJSON: isJSON)
        }

        /// Encodes a JSON Patch without enclosing keys, which RFC 6902 does not allow.
        func patch(_ patch: JSONPatch) throws -> EncodedBody {
            guard !isForm else {
                throw EncodedBody.Rejection(
                    "a JSON Patch is JSON, and bodies are forms here; declare JSON for patches:"
                        + " On(.patch) { Body.Format(as: .json) }"
                )
            }
            let bytes = HTTPBody(try JSONDefaults.encoder.encode(patch))
            return EncodedBody(bytes, contentType: "application/json-patch+json", format: .encoded)
        }

        /// Encodes a value as a form.
        func form(
            _ value: any Encodable & Sendable,
            under keys: [String],
            as style: FormStyle = FormStyle()
        ) throws -> EncodedBody {
            let wrapped: any Encodable = keys.isEmpty ? value : Wrapped(value: value, keys: keys[...])
            return EncodedBody(
                form: try FormItems.items(of: wrapped, as: formStyle(style), nils: nils, empties: empties),
                keys: keys
            )
        }

        /// Encodes a value as form items, under the given name if it is not nil.
        func items(
            of value: any Encodable,
            named name: String?,
            as style: FormStyle = FormStyle()
        ) throws -> [QueryItem] {
            let style = formStyle(style)
            guard let name else {
                return try FormItems.items(of: value, as: style, nils: nils, empties: empties)
            }
            return try FormItems.items(of: value, named: name, as: style, nils: nils, empties: empties)
        }

        /// Encodes a value as JSON, using the default encoder if the encoder in scope does not write JSON.
        func json(_ value: any Encodable & Sendable) throws -> Data {
            let encoder = isJSON ? encoder : JSONDefaults.requestEncoder
            return try encoder.encode(withNulls(value))
        }

        /// Returns a closure that encodes one element of JSON Lines or of a JSON text sequence, including delimiters.
        func line(isTextSequence: Bool) -> Body.Lines.Encode {
            var encoder = MediaType(encoder.contentType).isJSON ? encoder : JSONDefaults.requestEncoder
            if let json = encoder as? JSONRequestEncoder { encoder = json.inOneLine }
            let encoding = self
            return { [encoder] value in
                let text = try encoder.encode(encoding.withNulls(value))
                if isTextSequence { return Data([0x1E]) + text + Data([0x0A]) }
                guard !text.contains(0x0A) else {
                    throw EncodedBody.Rejection(
                        "the declared encoder writes an element on several lines, but JSON Lines requires one line per"
                            + " element"
                    )
                }
                return text + Data([0x0A])
            }
        }

        /// Encodes a member's value as a JSON value.
        func document(of value: any Encodable) throws -> JSONValue {
            try JSONDefaults.decoder.decode(JSONValue.self, from: encoder.encode(value))
        }

        /// Returns a body without members: an empty form or an empty JSON object.
        func empty() -> EncodedBody {
            isForm
                ? EncodedBody(form: [])
                : EncodedBody(HTTPBody(Data("{}".utf8)), contentType: contentType, format: .encoded, isJSON: isJSON)
        }

        private func formStyle(_ style: FormStyle) -> FormStyle {
            style.merged(over: format?.syntax?.style ?? FormStyle())
        }

        /// Returns the value to encode, with nil encoded as `null` if so declared.
        private func withNulls(_ value: any Encodable) throws -> any Encodable {
            nils == .null ? try ValueEncoder(nils: .null, convertsOtherKeys: true).encode(value) : value
        }

        private func bytes(of value: any Encodable & Sendable, under keys: [String]) throws -> HTTPBody {
            let value = try withNulls(value)
            return HTTPBody(
                keys.isEmpty ? try encoder.encode(value) : try encoder.encode(Wrapped(value: value, keys: keys[...]))
            )
        }
    }
}

extension EncodedBody.Encoding {
    /// Encodes the parts of a form.
    ///
    /// - Throws: ``EncodedBody/RejectedParts`` with the errors in all parts.
    func parts(_ parts: [Multipart.Part]) throws -> [EncodedPart] {
        var encoded: [EncodedPart] = []
        var declarationErrors: [Scope.DeclarationError] = []
        for part in parts {
            do {
                encoded += try self.parts(of: part)
            } catch {
                let reason = EncodingReason.text(of: error)
                declarationErrors.reject("Multipart.Part", part.name?.debugDescription ?? "", because: reason)
            }
        }
        guard declarationErrors.isEmpty else {
            throw EncodedBody.RejectedParts(declarationErrors: declarationErrors)
        }
        return encoded
    }

    /// Encodes a part of a form; a value encoded as form items can become several parts.
    private func parts(of part: Multipart.Part) throws -> [EncodedPart] {
        let name = part.name ?? ""
        switch part.content {
        case .none: return []
        case .text(let text):
            guard let text else { throw EncodedBody.Rejection("its value cannot be written as text") }
            return [try EncodedPart(name, text: text, contentType: part.contentType)]
        case .fileAsText:
            throw EncodedBody.Rejection(
                "its value is the path of a file, which would be sent as text; send the file with"
                    + " Multipart.Part(\(name.debugDescription), file: url)"
            )
        case .json(let value):
            return [try EncodedPart(name, HTTPBody(json(value)), contentType: part.contentType)]
        case .form(let value, let style):
            return try items(of: value, named: part.name, as: style).map { try EncodedPart($0) }
        case .bytes(let body):
            return [try EncodedPart(name, body, fileName: part.fileName, contentType: part.contentType)]
        case .file(let file):
            let body = try HTTPBody(file: file)
            return [try EncodedPart(name, body, fileName: part.fileName, contentType: part.contentType, file: file)]
        }
    }
}

/// A value nested under keys, outermost first.
private struct Wrapped: Encodable {
    let value: any Encodable
    let keys: ArraySlice<String>

    func encode(to encoder: any Encoder) throws {
        guard let key = keys.first else { return try value.encode(to: encoder) }
        var container = encoder.container(keyedBy: EnvelopeCodingKey.self)
        let rest = keys.dropFirst()
        // Encodes the value through the container, so that the encoder's strategies apply to it.
        if rest.isEmpty {
            try container.encode(value, forKey: EnvelopeCodingKey(key))
        } else {
            try container.encode(Wrapped(value: value, keys: rest), forKey: EnvelopeCodingKey(key))
        }
    }
}
