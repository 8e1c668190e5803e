import WaybillSystem

extension RequestBuilder {
    /// Encodes the body with the members added by clauses and by the page, and records any declaration errors.
    mutating func encodedBody() -> EncodedBody? {
        var body = encodedClause()
        let isClauseWrong = body == nil && configuration.body != nil
        if !isClauseWrong { body = addingMembers(to: body) }
        if page != nil {
            listBody = body?.body
            rejectReplacedPosition(in: body)
        }
        if let page, page.changesBody, !isClauseWrong {
            do {
                let scheme = configuration.settings[Paginated.self]?.scheme
                body = try (body ?? encoding.empty()).merging(page, of: scheme, in: configuration)
            } catch let rejected as EncodedBody.RejectedPlace {
                declarationErrors.reject(
                    "Paginated",
                    rejected.target.argument,
                    because: rejected.reason + "; correct the path, or declare what leads to it in the body, with null"
                        + " for elements before it"
                )
            } catch {
                declarationErrors.reject(
                    "Paginated",
                    because:
                        "the values of a page go into a JSON body, and this request's body is not JSON, or no object"
                )
            }
        }
        if body != nil, method == .head || method == .trace || method == .connect {
            declarationErrors.reject(
                "Body",
                because: "a \(method) request has no body (RFC 9110, section 9.3); leave it out"
            )
        }
        if method == .query, configuration.body == nil, body == nil {
            declarationErrors.reject(
                "QUERY",
                because: "its body is the query (RFC 10008); add a Body, or use GET"
            )
        }
        if let type = body?.contentType, type.isEmpty || !HTTPField.isValid(value: type) {
            declarationErrors.reject(
                "Body",
                because: "its content type cannot be the value of a header field; give one such as image/png"
            )
        }
        if let body {
            rejectOtherContentType(than: body)
            rejectMissedSecrets(in: body)
        }
        return body
    }

    /// Rejects the paths of secrets that do not match the body's structure, because the secrets would be shown.
    private mutating func rejectMissedSecrets(in body: EncodedBody) {
        for path in configuration.settings[SecretNames.self]?.bodyPaths ?? [] {
            guard let reason = body.reasonToMissSecret(at: path) else { continue }
            declarationErrors.reject("Secret", "body: \(path.arguments)", because: reason)
        }
    }

    /// Rejects a page number or offset declared in the body, because the page's value would replace it.
    private mutating func rejectReplacedPosition(in body: EncodedBody?) {
        guard let scheme = configuration.settings[Paginated.self]?.scheme, let pageCall = scheme.kind.pageCall,
            let path = scheme.kind.positionTarget?.bodyPath, let body, body.format != .form, body.form == nil,
            let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: body.body.bytes ?? Data()),
            let value = document.value(at: path), !value.isNull
        else { return }
        // If other elements follow the position in an array, the declared body needs a placeholder at its index.
        if path.last?.isKey == false, value == scheme.first.value(at: path) { return }
        let isMember = configuration.settings[BodyMembers.self]?.members.contains { $0.path == path } ?? false
        declarationErrors.reject(
            isMember ? "Body.Member" : "Body",
            path.arguments,
            because: ResolvedConfiguration.replaced(by: scheme, pageCall)
        )
    }

    private var encoding: EncodedBody.Encoding {
        EncodedBody.Encoding(
            format: configuration.settings[Body.Format.self],
            encode: configuration.settings[Encode.self],
            isChange: isChange
        )
    }

    /// Whether the request changes an existing resource, judging by its method, id or body.
    private var isChange: Bool {
        if method == .put || method == .patch || target.id != nil { return true }
        switch configuration.body?.content {
        case .changes, .difference: return true
        default: return false
        }
    }

    private mutating func encodedClause() -> EncodedBody? {
        guard let body = configuration.body else { return nil }
        let settings = configuration.settings
        do {
            let encoded = try EncodedBody(
                body,
                by: encoding,
                randomBits: randomBits,
                boundary: settings.first(\.formBoundary)
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
            declarationErrors.reject("Body", EncodedBody.typeName(of: body), because: EncodingReason.text(of: error))
            return nil
        }
    }

    /// Rejects a file URL or bytes that would be sent as a JSON string.
    private mutating func rejectBytesAsText(_ body: Body, _ encoded: EncodedBody) {
        guard case .value(let value) = body.content, encoded.isJSON else { return }
        if value is Data {
            declarationErrors.reject(
                "Body",
                "Data",
                because: "bytes would be sent as text; say what they are: Body(bytes, contentType: \"image/png\")"
            )
        } else if let url = value as? URL, url.isFileURL {
            declarationErrors.reject(
                "Body",
                url.lastPathComponent.debugDescription,
                because: "the path of a file would be sent, not the file; send it with"
                    + " Body(file: url, contentType: \"image/png\")"
            )
        }
    }

    /// Rejects a plain difference that would be sent with the media type of an entity's custom patches.
    private mutating func rejectOtherPatch(than body: Body, _ encoded: EncodedBody) {
        guard case .difference(.mergePatch(_, let ownType?)) = body.content, encoded.format == .encoded,
            let written = configuration.headerFields[.contentType] ?? encoded.contentType
        else { return }
        let media = MediaType(written)
        guard media != MediaType("application/merge-patch+json"), media != MediaType("application/json") else { return }
        declarationErrors.reject(
            "patch(from:to:)",
            ownType,
            because: "patches are \(written) and of a type of their own, which a plain difference may not have the"
                + " form of; let the entity make them, as PatchDifferencing, or declare the form: On(.patch) {"
                + " Body.Differences(as: .mergePatch) }"
        )
    }

    private mutating func addingMembers(to body: EncodedBody?) -> EncodedBody? {
        guard let declared = configuration.settings[BodyMembers.self], !declared.isEmpty else { return body }
        declarationErrors += declared.declarationErrors
        var encoded = body ?? encoding.empty()
        for (path, value) in declared.members {
            do {
                switch value {
                case .value(let value):
                    encoded = try encoded.adding(value, at: path, by: encoding)
                case .id:
                    guard let id = target.id else {
                        declarationErrors.reject(
                            "Body.Member",
                            "\(path.memberDescription), .id",
                            because:
                                "the call has no id; declare the clause for operations that have one: On(.delete) { … }"
                        )
                        continue
                    }
                    encoded = try encoded.adding(id.value(), at: path, by: encoding)
                }
            } catch {
                declarationErrors.reject("Body.Member", path.memberDescription, because: EncodingReason.text(of: error))
            }
        }
        return encoded
    }

    /// Rejects a declared content type that contradicts the format of the body.
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
            return declarationErrors.reject(
                "Header",
                "\"Content-Type\", \"\(declared)\"",
                because: "the body is written as multipart/form-data with a boundary of its own; leave the field out"
            )
        }
        declarationErrors.reject(
            "Header",
            "\"Content-Type\", \"\(declared)\"",
            because: "the body is written as \(written); leave the field out, or declare the format together with it:"
                + " Body.Format(as: …), Encode(with: …) or Body(bytes, contentType: …)"
        )
    }
}
