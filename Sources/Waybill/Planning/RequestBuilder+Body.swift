extension RequestBuilder {
    /// Encodes the body as clauses and page declare it; its errors are added to the declaration errors.
    mutating func encodedBody() -> EncodedBody? {
        var body = encodedClause()
        let isClauseWrong = body == nil && configuration.body != nil
        if !isClauseWrong { body = addingMembers(to: body) }
        if page != nil { listBody = body?.body }
        if let patch = page?.body, !isClauseWrong {
            do {
                body = try (body ?? encoding.empty()).merging(patch)
            } catch {
                reject(
                    "Paginated",
                    value: "",
                    reason: "the token of a page goes into a JSON body, and this request's body is not JSON"
                )
            }
        }
        if body != nil, method == .head || method == .trace || method == .connect {
            reject("Body", value: "", reason: "a \(method) request has no body (RFC 9110, section 9.3); leave it out")
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
        EncodedBody.Encoding(bodies: configuration.settings[Bodies.self], encode: configuration.settings[Encode.self])
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
                randomBits: randomBits,
                boundary: settings[UploadResumption.self]?.token?.boundary
            )
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

    private mutating func addingMembers(to body: EncodedBody?) -> EncodedBody? {
        guard let declared = configuration.settings[BodyMembers.self] else { return body }
        declarationErrors += declared.declarationErrors
        var encoded = body ?? encoding.empty()
        for (name, value) in declared.members {
            do {
                switch value {
                case .value(let value):
                    encoded = try encoded.adding(value, named: name, by: encoding)
                case .id:
                    guard let id = target.id else {
                        reject(
                            "BodyMember",
                            value: "\"\(name)\", .id",
                            reason:
                                "the call has no id; declare the clause for operations that have one: On(.delete) { … }"
                        )
                        continue
                    }
                    encoded = try encoded.adding(id.value(), named: name, by: encoding)
                }
            } catch {
                reject("BodyMember", value: "\"\(name)\"", reason: EncodingReason.text(of: error))
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
