import Waybill

extension Resumable {
    /// Returns the header fields of the request that creates the upload, and the errors in the declaration.
    package func addition(to draft: PlanDraft) -> PlanAddition? {
        guard let uploadProtocol else { return nil }
        // An upload in parts is created without content, whatever the transport.
        let createsWithoutContent = maximumPartBytes != nil || !uploadProtocol.createsWithContent
        var addition = PlanAddition()
        addition.declarationErrors = uploadProtocol.declarationErrors(in: draft)
        if let length = draft.body?.length {
            addition.headerFields = uploadProtocol.creationFields(length: length, isComplete: !createsWithoutContent)
        }
        addition.hasNoContent = !uploadProtocol.createsWithContent
        addition.sendsContentLater = createsWithoutContent
        return addition
    }
}

extension Resumable.UploadProtocol {
    fileprivate func declarationErrors(in draft: PlanDraft) -> [Scope.DeclarationError] {
        var declarationErrors: [Scope.DeclarationError] = []
        let value = description
        if kind == .tus, draft.method != .post {
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
                because: "the body can only be read from its start; give bytes, a file, or an HTTPBody(length:_:)"
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
