#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ResourceContext {
    /// Returns a PATCH with the difference between two states; nil if they are equal.
    func differenceEndpoint<Element: Representation>(
        from old: Element,
        to new: Element,
        id: (old: OperationID, new: OperationID)?
    ) throws(APIError) -> Endpoint<Element>? {
        if let id, !id.old.segment.hasSameBytes(as: id.new.segment) {
            throw failure(
                DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(id.old.segment), \(id.new.segment)",
                    reason: "the two states have different ids; a patch changes one item and leaves its id"
                )
            )
        }
        let (before, after) = (try document(of: old), try document(of: new))
        guard let changes = JSONValue.mergePatch(from: before, to: after) else { return nil }
        let difference = keepingMembers(of: after, in: changes)
        return endpoint(
            .patch,
            .patch,
            id: id?.old,
            body: Body(.difference(difference)),
            write: .difference,
            .merging(over: after),
            reread: reread(id: id?.old)
        )
    }

    /// Returns the difference with the members that ``Differences`` keeps.
    private func keepingMembers(of state: JSONValue, in difference: JSONValue) -> JSONValue {
        guard let kept = settings(for: .patch)[Differences.self], var members = difference.objectValue else {
            return difference
        }
        for key in kept.keptKeys where members[key] == nil { members[key] = state[key] }
        return .object(members)
    }

    /// Returns a state as the JSON that would be sent for it; with the texts of a form, if patches are forms.
    private func document(of element: some Encodable) throws(APIError) -> JSONValue {
        let settings = settings(for: .patch)
        let encode = settings[Encode.self]
        if let declarationError = encode?.declarationError { throw failure(declarationError) }
        var encoder: any RequestEncoder = encode?.encoder ?? JSONRequestEncoder(JSONDefaults.encoder)
        if let format = settings[Bodies.self]?.format, format.kind == .form {
            let dates = format.style.dates ?? .iso8601
            let json = JSONDefaults.encoder.applying(keys: format.style.keys, dates: .text(dates), data: nil)
            encoder = JSONRequestEncoder(json)
        } else if let mediaType = encode?.contentType, !MediaType(mediaType).isJSON {
            throw failure(
                DeclarationError(
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
                DeclarationError(
                    clause: "patch(from:to:)",
                    value: "\(type(of: element))",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    private func failure(_ declarationError: DeclarationError) -> APIError {
        let call = APIError.FailedCall(method: .patch, template: ResolvedPath(path).template)
        return .request(APIError.RequestFailure(call: call, declarationErrors: [declarationError]))
    }
}
