import Waybill
import WaybillFiles
import WaybillSystem

/// A step that performs a call with a ``Resumable`` clause as a series of protocol requests: creation, offset retrieval
/// and appends.
///
/// It runs once per attempt. Attempts share the state of the upload, so the next one can ask for the offset and send
/// the remaining bytes.
struct UploadStep: CallStep {
    let uploadProtocol: Resumable.UploadProtocol
    let maximumPartBytes: Int?
    let resumption: UploadResumption?
    let state: Locked<UploadState>

    init(by uploadProtocol: Resumable.UploadProtocol, maximumPartBytes: Int?, of call: Call) {
        self.uploadProtocol = uploadProtocol
        self.maximumPartBytes = maximumPartBytes
        state = Locked(UploadState())
        resumption = call.settings[UploadResumption.self]
    }

    /// Creates the upload or asks for its offset, and sends the bytes that the server has not received.
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

    /// Returns the body with its digest, which is computed once per call, and only if the call saves or uses a token.
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

    /// Prepares the first attempt to resume the token's upload, if there is a token.
    ///
    /// - Throws: `APIError.upload` if the token does not match the call.
    private func begin(with content: UploadContent, of call: Call) throws(APIError) {
        let hasBegun = state.withLock { state in
            defer { state.hasBegun = true }
            return state.hasBegun
        }
        guard !hasBegun, let token = resumption?.token else { return }
        if let difference = difference(of: token, from: content, of: call) {
            throw failure(.wrongToken(difference), of: call)
        }
        let url = try target(of: token.location, from: call.plan.url, of: call)
        state.withLock { $0.isContinued = true }
        note(url: url, of: call)
    }

    private func difference(
        of token: Resumable.Token,
        from content: UploadContent,
        of call: Call
    ) -> APIError.UploadFailure.Difference? {
        if token.kind != uploadProtocol.kind { return .uploadProtocol }
        if token.endpoint != call.plan.endpointIdentity(hash: SHA256.hexadecimal(of:)) { return .endpoint }
        if token.length != content.length { return .length }
        guard token.contentDigest == content.digest else { return .content }
        // Tokens created by earlier versions contain no digest of the files.
        return token.fileDigest == nil || token.fileDigest == content.fileDigest ? nil : .file
    }

    /// Returns an upload failure if a changed file of the body caused the error; otherwise, returns the error.
    func naming(_ error: APIError, of call: Call) -> APIError {
        guard case .transport(let failure) = error, let cause = failure.error.underlying as? FileError, cause.isChange
        else { return error }
        return self.failure(.changedFile(path: cause.path), of: call)
    }

    /// Returns the failure of an upload.
    func failure(_ reason: APIError.UploadFailure.Reason, of call: Call) -> APIError {
        .upload(APIError.UploadFailure(call: call.plan.failedCall(attempt: call.attempt), reason: reason))
    }
}

extension Resumable: CallOption {
    /// The clause itself; nil for ``none``.
    public var _option: (any AnyObject & Sendable)? { uploadProtocol == nil ? nil : CallPart(self) }

    package static var isOfFirstRequest: Bool { true }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        guard let uploadProtocol else { return }
        steps.add(UploadStep(by: uploadProtocol, maximumPartBytes: maximumPartBytes, of: call), at: .exchange)
    }
}

extension UploadResumption: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package static var isOfFirstRequest: Bool { true }

    package var formBoundary: String? { token?.boundary }

    package func addition(to draft: PlanDraft) -> PlanAddition? {
        guard draft.settings[Resumable.self]?.uploadProtocol == nil else { return nil }
        var addition = PlanAddition()
        addition.declarationErrors.reject(
            "Resumable",
            because: "the call resumes an upload, but declares no protocol for it; declare Resumable(.draft) or (.tus)"
        )
        return addition
    }
}
