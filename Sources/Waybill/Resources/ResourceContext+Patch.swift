import WaybillSystem

extension ResourceContext {
    /// Returns a PATCH request with the difference between two states; nil if they are equal.
    func differenceEndpoint<Element: Representation>(
        from old: Element,
        to new: Element,
        id: (old: OperationID, new: OperationID)?
    ) throws(APIError) -> Endpoint<Element>? {
        if let id, !id.old.segment.hasSameBytes(as: id.new.segment) {
            throw failure(
                Scope.DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(id.old.segment), \(id.new.segment)",
                    reason: "the two states have different ids; a patch changes one item and leaves its id"
                )
            )
        }
        let declared = settings(for: .patch)[Body.Differences.self]?.rule
        if declared == nil, let type = Element.self as? any PatchDifferencing.Type {
            guard let patch = try ownPatch(type, from: old, to: new) else { return nil }
            // The new state is needed as JSON only if the entity is built from the request.
            let isMerged = [.merged, .sent].contains(settings(for: .patch)[WriteResult.self]?.source)
            return patchEndpoint(
                .changes(patch),
                merging: isMerged ? try document(of: new, for: .patch) : nil,
                id: id?.old
            )
        }
        let (before, after) = (try document(of: old, for: .patch), try document(of: new, for: .patch))
        guard let difference = difference(from: before, to: after, of: Element.self) else { return nil }
        return patchEndpoint(.difference(difference), merging: after, id: id?.old)
    }

    /// Returns the patch that a ``PatchDifferencing`` entity computes; nil if the states are equal.
    package func ownPatch<Element: Representation>(
        _ type: any PatchDifferencing.Type,
        from old: Element,
        to new: Element
    ) throws(APIError) -> (any Encodable & Sendable)? {
        do {
            return try type.erasedPatch(from: old, to: new)
        } catch {
            throw failure(
                Scope.DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(Element.self)",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    /// Returns the difference between two documents in the declared format; nil if they are equal.
    package func difference<Element: Representation>(
        from before: JSONValue,
        to after: JSONValue,
        of type: Element.Type
    ) -> Body.Difference? {
        let declared = settings(for: .patch)[Body.Differences.self]?.rule
        if (declared?.format ?? (Element.Patch.self == JSONPatch.self ? .jsonPatch : .mergePatch)) == .jsonPatch {
            let patch = JSONPatch(from: before, to: after)
            return patch.operations.isEmpty ? nil : .jsonPatch(patch)
        }
        guard let changes = JSONValue.mergePatch(from: before, to: after) else { return nil }
        let isPlain = Element.Patch.self == Element.self || Element.Patch.self == [String: JSONValue].self
        return .mergePatch(
            keepingMembers(of: after, in: changes, declared),
            ownType: isPlain || declared != nil ? nil : "\(Element.Patch.self)"
        )
    }

    package func patchEndpoint<Element: Representation>(
        _ content: Body.Content,
        merging state: JSONValue?,
        id: OperationID?
    ) -> Endpoint<Element> {
        endpoint(
            .patch,
            .patch,
            id: id,
            body: Body(content),
            write: .difference,
            .merging(over: state),
            reread: reread(id: id)
        )
    }

    /// Returns the difference, plus the unchanged members that ``Body/Differences`` always includes.
    private func keepingMembers(of state: JSONValue, in difference: JSONValue, _ kept: Body.Differences.Rule?)
        -> JSONValue
    {
        guard let kept, var members = difference.objectValue else { return difference }
        for key in kept.keptKeys where members[key] == nil { members[key] = state[key] }
        return .object(members)
    }

    /// Returns a value as the JSON that an operation would send; for a form, keys and dates are encoded as in the form.
    package func document(of element: some Encodable, for operation: On.Operation) throws(APIError) -> JSONValue {
        let settings = settings(for: operation)
        let encode = settings[Encode.self]
        if let declarationError = encode?.declarationError { throw failure(declarationError) }
        var encoder: any RequestEncoder = encode?.encoder ?? JSONDefaults.requestEncoder
        if let syntax = settings[Body.Format.self]?.syntax, syntax.kind == .form {
            let json = JSONDefaults.encoder.applying(keys: syntax.style.keys, dates: syntax.style.dates?.asText)
            encoder = JSONRequestEncoder(json)
        } else if let mediaType = encode?.contentType, !(encoder is JSONRequestEncoder), !MediaType(mediaType).isJSON {
            throw failure(
                Scope.DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(type(of: element))",
                    reason:
                        "a difference is found in JSON, and the scope encodes as \(mediaType); send patch(_:_:) with"
                        + " the changes, or declare an encoder for patches: On(.patch) { Encode(with: JSONEncoder()) }"
                )
            )
        }
        do {
            return try JSONDefaults.decoder.decode(JSONValue.self, from: encoder.encode(element))
        } catch {
            throw failure(
                Scope.DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(type(of: element))",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    private func failure(_ declarationError: Scope.DeclarationError) -> APIError {
        let call = APIError.FailedCall(method: .patch, template: ResolvedPath(path).template)
        return .request(APIError.RequestFailure(call: call, declarationErrors: [declarationError]))
    }
}
