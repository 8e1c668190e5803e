import WaybillSystem

/// A step that splits a call with a ``Resumable`` clause into the requests of the protocol: create, offset, append.
///
/// It runs once in each attempt. What is known of the upload outlasts an attempt, so that the next one asks for the
/// offset and sends the rest.
struct UploadStep: CallStep {
    let clause: Resumable
    let resumption: UploadResumption?
    let state: Locked<UploadState>

    /// Creates the step; nil for a call that does not need it.
    init?(_ call: Call) {
        guard let clause = call.settings[Resumable.self] else { return nil }
        self.clause = clause
        // Made here: an initial value would be made for every call without the clause too.
        state = Locked(UploadState())
        resumption = call.settings[UploadResumption.self]
    }

    /// Creates the upload or asks for its offset, and sends the bytes that the server does not have.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        guard let body = request.body, let length = body.length, body.isSeekable else {
            throw failure(.bodyIsNotSeekable, of: call)
        }
        let content = try await content(body, length, of: call)
        try begin(with: content, of: call)
        let exchange = UploadExchange(step: self, call: call, request: request, content: content, next: next)
        do throws(APIError) {
            let response = try await exchange.run()
            await finishSaving()
            return response
        } catch {
            await finishSaving()
            throw error
        }
    }

    /// Returns the body with its digest, which is read once in a call, and only if tokens are saved or continued.
    private func content(_ body: HTTPBody, _ length: Int, of call: Call) async throws(APIError) -> UploadContent {
        let known = state.withLock { $0.contentDigest }
        if let known { return UploadContent(body: body, length: length, digest: known) }
        guard resumption != nil else { return UploadContent(body: body, length: length, digest: nil) }
        do throws(TransportError) {
            let digest = try await UploadContent.digest(of: body, length: length)
            state.withLock { $0.contentDigest = digest }
            return UploadContent(body: body, length: length, digest: digest)
        } catch {
            throw naming(call.transportFailure(error), of: call)
        }
    }

    /// Takes the URL of the upload from the token, in the first attempt.
    private func begin(with content: UploadContent, of call: Call) throws(APIError) {
        let hasBegun = state.withLock { state in
            defer { state.hasBegun = true }
            return state.hasBegun
        }
        guard !hasBegun, let token = resumption?.token else { return }
        if let difference = difference(of: token, from: content, of: call) {
            throw failure(.wrongToken(difference), of: call)
        }
        try check(token.location, from: call.plan.url, of: call)
        state.withLock { $0.isContinued = true }
        note(url: token.location, of: call)
    }

    private func difference(
        of token: Resumable.Token,
        from content: UploadContent,
        of call: Call
    ) -> APIError.UploadFailure.Difference? {
        if token.kind != clause.uploadProtocol.kind { return .uploadProtocol }
        if token.endpoint != call.plan.endpointIdentity { return .endpoint }
        if token.length != content.length { return .length }
        guard token.contentDigest == content.digest else { return .content }
        // A token of an earlier version does not know the files.
        return token.fileDigest == nil || token.fileDigest == content.fileDigest ? nil : .file
    }

    /// Returns an error as that of the upload, if its cause is a file of the body that has changed.
    func naming(_ error: APIError, of call: Call) -> APIError {
        guard case .transport(let failure) = error, let cause = failure.error.underlying as? FileError, cause.isChange
        else { return error }
        return self.failure(.changedFile(path: cause.name), of: call)
    }

    /// Returns the failure of an upload.
    func failure(_ reason: APIError.UploadFailure.Reason, of call: Call) -> APIError {
        .upload(APIError.UploadFailure(call: call.plan.failedCall(attempt: call.attempt), reason: reason))
    }
}

extension Plan {
    /// The method, the template and a digest of the URL without its query, which identify the endpoint in a token.
    ///
    /// A digest, because a value in the path may be a secret; without the query, which may have a signature.
    var endpointIdentity: String {
        let origin = HTTPRequest.Origin(url)?.description ?? ""
        let hash = SHA256.hexadecimal(SHA256.hash("\(origin)\(url.path(percentEncoded: true))".utf8))
        return "\(method) \(template) \(hash)"
    }
}
