/// The kind of content sent by a write to a resource, which determines how to obtain the resulting entity.
package enum WriteOperation: Sendable, Hashable {
    /// A draft or a whole entity.
    case state
    /// Only the changes.
    case changes
    /// The difference between two known states.
    case difference
    /// A list of drafts or entities.
    case batch(count: Int)

    /// Returns an error if the declared source of the result conflicts with the content or with another clause.
    ///
    /// - Parameters:
    ///   - source: the declared source of the result.
    ///   - body: the encoded content.
    ///   - deferring: the declared setting that reads the result from a later response; nil without one.
    /// - Returns: the error; nil if the declaration is valid.
    func declarationError(
        returning source: WriteResult.Source,
        body: EncodedBody?,
        beside deferring: (any DeferringResult)?
    ) -> Scope.DeclarationError? {
        if let deferring, source != .response {
            let clause = type(of: deferring)
            return Scope.DeclarationError(
                clause: "WriteResult",
                value: ".\(source.rawValue)",
                reason: "it stands beside \(clause.clauseName), and only one of them can tell where the entity comes"
                    + " from; \(clause.writeResultAdvice)"
            )
        }
        let reason: String
        switch (self, source) {
        case (_, .response): return nil
        case (.state, .reread), (.changes, .reread), (.difference, _): return nil
        case (.changes, .merged), (.changes, .sent):
            reason =
                "a patch with changes does not have the rest of the entity; declare On(.patch) { WriteResult(.reread) }"
                + ", send the difference with patch(from:to:), or ignore the response: endpoints.patch(…).returning(Void.self)"
        case (.batch, .reread):
            reason =
                "a batch has no single entity to fetch; declare .merged or .sent, or ignore the response:"
                + " returning(Void.self)"
        case (.state, .merged), (.state, .sent), (.batch, .merged), (.batch, .sent):
            guard let body, let type = body.contentType, !body.isJSON, body.formEntity == nil else { return nil }
            reason =
                "the entity is made from the value that was sent, and the body is \(type), which has none; declare .reread,"
                + " or ignore the response: returning(Void.self)"
        }
        return Scope.DeclarationError(clause: "WriteResult", value: ".\(source.rawValue)", reason: reason)
    }

    /// The advice for a response without a body.
    package var adviceForEmptyBody: String {
        switch self {
        case .state, .difference:
            "declare WriteResult(.sent) if the server stores what was sent, WriteResult(.reread) to fetch the entity,"
                + " or ignore the response: returning(Void.self)"
        case .changes:
            "declare On(.patch) { WriteResult(.reread) } to fetch the entity, or ignore the response:"
                + " endpoints.patch(…).returning(Void.self)"
        case .batch:
            "declare WriteResult(.sent) if the server stores what was sent, or ignore the response:"
                + " returning(Void.self)"
        }
    }
}
