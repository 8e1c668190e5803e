extension RequestBuilder {
    /// Adds the declaration errors of a resumable upload.
    mutating func rejectUpload(of body: EncodedBody?) {
        guard let clause = configuration.settings[Resumable.self] else {
            if configuration.settings[UploadResumption.self] != nil {
                reject(
                    "",
                    "the call is to be resumed, and declares no protocol for it; declare Resumable(.draft) or (.tus)"
                )
            }
            return
        }
        let value = clause.uploadProtocol.description
        if clause.uploadProtocol.kind == .tus, method != .post {
            reject(".\(value)", "tus creates an upload by POST, and the method is \(method); declare POST")
        }
        if let body {
            guard body.body.length == nil || !body.body.isSeekable else { return }
            reject(
                ".\(value)",
                "the body can be read from its start only; give bytes, a file, or an HTTPBody(length:_:)"
            )
        } else if configuration.body == nil {
            reject(".\(value)", "the call has no body; declare one, or declare the clause only where a body is")
        }
    }

    private mutating func reject(_ value: String, _ reason: String) {
        declarationErrors.append(DeclarationError(clause: "Resumable", value: value, reason: reason))
    }

    /// Returns the fields of the request that creates a resumable upload; none for any other call.
    func uploadFields(of body: EncodedBody?) -> [(HTTPField.Name, String)] {
        guard let clause = configuration.settings[Resumable.self], let length = body?.body.length else { return [] }
        return clause.uploadProtocol.creationFields(length: length, isComplete: !clause.createsWithoutContent)
    }

    /// Returns the scope that declares the fields of an upload, by their names.
    func addedUploadFields(_ fields: [(HTTPField.Name, String)]) -> [HTTPField.Name: String] {
        let scope = allScopes.last { $0.settings[Resumable.self] != nil }?.name ?? ""
        return Dictionary(fields.map { ($0.0, scope) }) { first, _ in first }
    }
}

extension Resumable {
    /// Whether the creation of an upload has no content over any transport.
    var createsWithoutContent: Bool { partSize != nil || !uploadProtocol.createsWithContent }
}
