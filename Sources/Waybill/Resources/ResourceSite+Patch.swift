import Foundation

extension ResourceSite {
    /// PATCH with the difference between two states; nil where there is none.
    func patchEndpoint<Element: Representation>(
        from old: Element,
        to new: Element,
        id: (old: String, new: String)?
    ) throws(APIError) -> Endpoint<Element>? {
        if let id, id.old != id.new {
            throw failure(
                Mistake(
                    clause: "patch(from:to:)",
                    value: "\(id.old), \(id.new)",
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
            body: Body(.mergePatch(difference)),
            .merging(over: after)
        )
    }

    /// The difference with the members that ``Differences`` keeps.
    private func keepingMembers(of state: JSONValue, in difference: JSONValue) -> JSONValue {
        guard let kept = settings(for: .patch)[Differences.self], var members = difference.objectValue else {
            return difference
        }
        for key in kept.keptKeys where members[key] == nil { members[key] = state[key] }
        return .object(members)
    }

    /// A state as the JSON that would be sent of it.
    private func document(of element: some Encodable) throws(APIError) -> JSONValue {
        let encoder = settings(for: .patch)[Encode.self]?.encoder ?? JSONDefaults.encoder
        do {
            return try JSONDefaults.decoder.decode(JSONValue.self, from: encoder.encode(element))
        } catch {
            throw failure(
                Mistake(
                    clause: "patch(from:to:)",
                    value: "\(type(of: element))",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    private func failure(_ mistake: Mistake) -> APIError {
        let call = FailedCall(method: .patch, template: ResolvedPath(path).template)
        return .request(RequestFailure(call: call, mistakes: [mistake]))
    }
}
