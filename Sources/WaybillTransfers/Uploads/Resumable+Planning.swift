import Waybill

extension Resumable {
    /// Returns the header fields of the request that creates the upload, and the errors in the declaration.
    package func addition(to draft: PlanDraft) -> PlanAddition? {
        var addition = PlanAddition()
        addition.declarationErrors = declarationErrors(in: draft)
        if let length = draft.body?.length {
            addition.headerFields = uploadProtocol.creationFields(length: length, isComplete: !createsWithoutContent)
        }
        addition.hasNoContent = !uploadProtocol.createsWithContent
        addition.sendsContentLater = createsWithoutContent
        return addition
    }

    /// Whether an upload is created without content on every transport.
    private var createsWithoutContent: Bool { partSize != nil || !uploadProtocol.createsWithContent }

    private func declarationErrors(in draft: PlanDraft) -> [DeclarationError] {
        var declarationErrors: [DeclarationError] = []
        let value = uploadProtocol.description
        if uploadProtocol.kind == .tus, draft.method != .post {
            declarationErrors.reject(
                "Resumable",
                ".\(value)",
                because: "tus creates an upload by POST, and the method is \(draft.method); declare POST"
            )
        }
        if let body = draft.body {
            guard body.length == nil || !body.isSeekable else { return declarationErrors }
            declarationErrors.reject(
                "Resumable",
                ".\(value)",
                because: "the body can be read from its start only; give bytes, a file, or an HTTPBody(length:_:)"
            )
        } else if !draft.declaresBody {
            declarationErrors.reject(
                "Resumable",
                ".\(value)",
                because: "the call has no body; declare one, or declare the clause only where a body is"
            )
        }
        return declarationErrors
    }
}
