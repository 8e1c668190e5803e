import WaybillSystem

extension RequestBuilder {
    /// Encodes the body as clauses and page declare it; its errors are added to the declaration errors.
    mutating func encodedBody() -> EncodedBody? {
        var body = encodedClause()
        let isClauseWrong = body == nil && configuration.body != nil
        if !isClauseWrong { body = addingMembers(to: body) }
        if page != nil { listBody = body?.body }
        if let patch = page?.body, !isClauseWrong {
            do {
                let scheme = configuration.settings[Paginated.self]?.scheme
                body = try (body ?? encoding.empty()).merging(patch, of: scheme, in: configuration)
            } catch {
                reject(
                    "Paginated",
                    value: "",
                    reason: "the values of a page go into a JSON body, and this request's body is not JSON"
                )
            }
        }
        if body != nil, method == .head || method == .trace || method == .connect {
            reject("Body", value: "", reason: "a \(method) request has no body (RFC 9110, section 9.3); leave it out")
        }
        if method == .query, configuration.body == nil, body == nil {
            reject("QUERY", value: "", reason: "its body says what is asked (RFC 10008); add a Body, or use GET")
        }
        if let type = body?.contentType, type.isEmpty || !HTTPField.isValid(value: type) {
            reject(
                "Body",
                value: "",
                reason: "its content type cannot be the value of a header field; give one such as image/png"
            )
        }
        if let body { rejectOtherContentType(than: body) }
        return body
    }

    private var encoding: EncodedBody.Encoding {
        EncodedBody.Encoding(
            bodies: configuration.settings[Bodies.self],
            encode: configuration.settings[Encode.self],
            isChange: isChange
        )
    }

    /// Whether the request changes what is there: by its method, or because the operation has an id.
    private var isChange: Bool {
        if method == .put || method == .patch || target.id != nil { return true }
        switch configuration.body?.content {
        case .changes, .difference: return true
        default: return false
        }
    }

    private mutating func reject(_ clause: String, value: String, reason: String) {
        declarationErrors.append(DeclarationError(clause: clause, value: value, reason: reason))
    }

    private mutating func encodedClause() -> EncodedBody? {
        guard let body = configuration.body else { return nil }
        let settings = configuration.settings
        do {
            let encoded = try EncodedBody(
                body,
                bodies: settings[Bodies.self],
                encode: settings[Encode.self],
                isChange: isChange,
                randomBits: randomBits,
                boundary: settings[UploadResumption.self]?.token?.boundary
            )
            rejectBytesAsText(body, encoded)
            rejectOtherPatch(than: body, encoded)
            if encoded.format == .encoded, let declarationError = settings[Encode.self]?.declarationError {
                declarationErrors.append(declarationError)
            }
            return encoded
        } catch let rejected as EncodedBody.RejectedParts {
            declarationErrors += rejected.declarationErrors
            return nil
        } catch {
            reject("Body", value: EncodedBody.typeName(of: body), reason: EncodingReason.text(of: error))
            return nil
        }
    }

    /// Adds a declaration error for a file or for bytes that would be sent as a text of JSON.
    private mutating func rejectBytesAsText(_ body: Body, _ encoded: EncodedBody) {
        guard case .value(let value) = body.content, encoded.isJSON else { return }
        if value is Data {
            reject(
                "Body",
                value: "Data",
                reason: "bytes would be sent as text; say what they are: Body(bytes, contentType: \"image/png\")"
            )
        } else if let url = value as? URL, url.isFileURL {
            reject(
                "Body",
                value: url.lastPathComponent.debugDescription,
                reason: "the path of a file would be sent, not the file; send it with"
                    + " Body(file: url, contentType: \"image/png\")"
            )
        }
    }

    /// Adds a declaration error for a plain difference under the content type of an entity's own patches.
    private mutating func rejectOtherPatch(than body: Body, _ encoded: EncodedBody) {
        guard case .difference(.mergePatch(_, let ownType?)) = body.content, encoded.format == .encoded,
            let written = configuration.headerFields[.contentType] ?? encoded.contentType
        else { return }
        let media = MediaType(written)
        guard media != MediaType("application/merge-patch+json"), media != MediaType("application/json") else { return }
        reject(
            "patch(from:to:)",
            value: ownType,
            reason: "patches are \(written) and of a type of their own, which a plain difference may not have the form"
                + " of; let the entity make them, as PatchDifferencing, or declare the form: On(.patch) {"
                + " Bodies.Differences(as: .mergePatch) }"
        )
    }

    private mutating func addingMembers(to body: EncodedBody?) -> EncodedBody? {
        guard let declared = configuration.settings[BodyMembers.self] else { return body }
        declarationErrors += declared.declarationErrors
        var encoded = body ?? encoding.empty()
        for (path, value) in declared.members {
            do {
                switch value {
                case .value(let value):
                    encoded = try encoded.adding(value, at: path, by: encoding)
                case .id:
                    guard let id = target.id else {
                        reject(
                            "Body.Member",
                            value: "\(path.memberDescription), .id",
                            reason:
                                "the call has no id; declare the clause for operations that have one: On(.delete) { … }"
                        )
                        continue
                    }
                    encoded = try encoded.adding(id.value(), at: path, by: encoding)
                }
            } catch {
                reject("Body.Member", value: path.memberDescription, reason: EncodingReason.text(of: error))
            }
        }
        return encoded
    }

    /// Adds a declaration error if a declared content type contradicts the format of the bytes.
    private mutating func rejectOtherContentType(than body: EncodedBody) {
        guard body.format != .given, let written = body.contentType,
            let declared = configuration.headerFields[.contentType]
        else { return }
        let (isForm, isJSON) = (MediaType(declared) == .form, MediaType(declared).isJSON)
        let fits =
            switch body.format {
            case .form: isForm
            case .encoded: !isForm && (MediaType(written).isJSON || !isJSON)
            case .multipart: false
            case .given: true
            }
        guard !fits else { return }
        if body.format == .multipart {
            return reject(
                "Header",
                value: "\"Content-Type\", \"\(declared)\"",
                reason: "the body is written as multipart/form-data with a boundary of its own; leave the field out"
            )
        }
        reject(
            "Header",
            value: "\"Content-Type\", \"\(declared)\"",
            reason: "the body is written as \(written); leave the field out, or declare the format together with it:"
                + " Bodies(as: …), Encode(with: …) or Body(bytes, contentType: …)"
        )
    }
}
