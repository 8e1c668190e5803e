import Waybill
import WaybillFiles
import WaybillSystem

/// The exchange of requests and responses in one attempt of an upload.
struct UploadExchange: Sendable {
    /// The next request, or the response that ends the attempt.
    enum Move: Sendable {
        case create
        case retrieveOffset
        case append(from: Int)
        case finish(CallResponse)
    }

    /// The maximum number of requests without progress in one attempt.
    private static let allowedSetbacks = 3

    let step: UploadStep
    let call: Call
    let request: CallRequest
    let content: UploadContent
    let next: CallStep.Next

    /// The progress within the attempt.
    let progress = Locked(Progress())

    struct Progress: Sendable {
        /// The highest offset reported by the server.
        var highest = -1
        var setbacks = 0
        /// An offset from an interim response that exceeds the number of sent bytes.
        var overstated: Int?
        /// The response to the last part, if it does not indicate whether the upload is complete.
        var pending: CallResponse?
    }

    var kind: Resumable.UploadProtocol.Kind { step.uploadProtocol.kind }

    /// Sends requests until the upload is complete or a request fails.
    func run() async throws(APIError) -> CallResponse {
        try await checkFiles()
        var move: Move = step.state.withLock { $0.url == nil } ? .create : .retrieveOffset
        while true {
            switch move {
            case .create: move = try await create()
            case .retrieveOffset: move = try await retrieveOffset()
            case .append(let offset): move = try await append(from: offset)
            case .finish(let response): return response
            }
        }
    }
}

extension UploadExchange {
    /// Returns the upload fields of a response.
    ///
    /// - Throws: `APIError.upload` if a field violates the protocol.
    func fields(of response: CallResponse) async throws(APIError) -> UploadResponse {
        do throws(UploadResponse.InvalidField) {
            return try UploadResponse(response.headerFields, kind)
        } catch {
            throw await fail(.invalidField(name: error.name.rawName, value: error.value), dropping: response)
        }
    }

    /// Returns the failure for a reason, after discarding the response's body.
    func fail(_ reason: APIError.UploadFailure.Reason, dropping response: CallResponse) async -> APIError {
        await response.message.discardBody()
        let status = response.status
        // A tus version mismatch explains any other failure (section "Tus-Version").
        if kind == .tus, status == 412, let versions = response.headerFields[.tusVersion] {
            return step.failure(.unsupportedVersion(versions), of: call)
        }
        return step.failure(reason, of: call)
    }

    /// Ends the attempt with a failed response; throws if the call declares its status as a success.
    func failed(_ response: CallResponse) async throws(APIError) -> Move {
        if kind == .tus, response.status == 412, let versions = response.headerFields[.tusVersion] {
            throw await fail(.unsupportedVersion(versions), dropping: response)
        }
        guard !call.plan.isSuccess(response.status) else {
            throw await fail(.unexpectedStatus(response.status), dropping: response)
        }
        return .finish(response)
    }

    /// Applies the limits in a response.
    ///
    /// - Throws: `APIError.upload` if a limit is invalid, or if the upload exceeds the maximum size.
    func readLimits(of response: CallResponse) async throws(APIError) {
        let fields = response.headerFields
        guard step.state.withLock({ $0.limits.read(fields) }) else {
            throw await fail(
                .invalidField(name: HTTPField.Name.uploadLimit.rawName, value: fields[.uploadLimit]),
                dropping: response
            )
        }
        guard let limit = step.state.withLock({ $0.limits.maxSize }), limit < content.length else { return }
        throw await fail(.tooLarge(limit: limit), dropping: response)
    }

    /// Checks that the body's files have not changed since the upload began.
    func checkFiles() async throws(APIError) {
        if let path = content.body.changedFile { throw step.failure(.changedFile(path: path), of: call) }
        // A program can reset a file's modification time, so compare the digest, too. It is cheap, because it covers
        // few bytes.
        guard let known = content.digest, let paths = content.body.filePaths else { return }
        let digest: String
        do throws(TransportError) {
            digest = try await UploadContent.digest(of: content.body, length: content.length)
        } catch {
            throw step.naming(call.transportFailure(error), of: call)
        }
        if digest != known { throw step.failure(.changedFile(path: paths), of: call) }
    }

    /// The maximum number of bytes that the server can have received.
    var sentBytes: Int { step.state.withLock { $0.isContinued ? content.length : $0.sentBytes } }

    /// Sends a request with the bytes of the upload up to an end offset, and tracks how many may have been sent.
    func send(_ request: CallRequest, upTo end: Int) async throws(APIError) -> CallResponse {
        var request = request
        let sentBefore = step.state.withLock { $0.sentBytes }
        let start = end - (request.body?.length ?? 0)
        if request.body?.bytes != nil {
            noteSent(end)
        } else {
            // After a broken connection, most of a long body may be unsent.
            request.body = request.body?.counting { noteSent(start + $0) }
        }
        do throws(APIError) {
            let response = try await next(request)
            guard let offset = progress.withLock({ $0.overstated }) else { return response }
            throw await fail(.invalidOffset(offset), dropping: response)
        } catch {
            if !RetryEligibility.wasSent(error) { step.state.withLock { $0.sentBytes = sentBefore } }
            throw step.naming(error, of: call)
        }
    }

    private func noteSent(_ end: Int) {
        step.state.withLock { $0.sentBytes = max($0.sentBytes, end) }
    }

    /// Checks that a successful final response does not contradict the number of sent bytes.
    func checkComplete(_ response: CallResponse, _ fields: UploadResponse) async throws(APIError) {
        if let offset = fields.offset, offset != content.length {
            throw await fail(
                offset > content.length ? .invalidOffset(offset) : .completedEarly(offset: offset),
                dropping: response
            )
        }
        // This applies only to a response marked as complete: a server that does not support the protocol may respond
        // before reading the whole body.
        if fields.isComplete == true, sentBytes < content.length {
            throw await fail(.completedEarly(offset: sentBytes), dropping: response)
        }
    }

    /// Records the number of bytes received by the server.
    ///
    /// - Parameters:
    ///   - offset: the number reported by the server.
    ///   - end: the end offset of the sent part; unlimited by default.
    /// - Throws: `APIError.upload` if the number exceeds the number of sent bytes, or if too many requests made
    ///   no progress.
    func note(offset: Int, end: Int = .max) throws(APIError) {
        guard offset <= min(end, sentBytes) else { throw step.failure(.invalidOffset(offset), of: call) }
        let isStuck = progress.withLock { progress in
            if offset > progress.highest {
                progress.highest = offset
            } else {
                progress.setbacks += 1
            }
            return progress.setbacks > Self.allowedSetbacks
        }
        guard !isStuck else { throw step.failure(.noProgress(offset: offset), of: call) }
        call.plan.control?.acknowledge(offset)
    }

    /// Counts a request without progress.
    ///
    /// - Throws: `APIError.upload` if there were too many such requests.
    func noteSetback() throws(APIError) {
        let (isStuck, offset) = progress.withLock { progress in
            progress.setbacks += 1
            return (progress.setbacks > Self.allowedSetbacks, max(0, progress.highest))
        }
        if isStuck { throw step.failure(.noProgress(offset: offset), of: call) }
    }

    /// Returns the part of the upload sent in a request, with a handler for interim responses.
    func part(at offset: Int, isCreation: Bool) -> UploadPart {
        UploadPart(offset: offset, length: content.length) { [self] status, fields, url in
            guard status.code == 104, kind == .draft else { return }
            receiveInterim(fields, from: url, isCreation: isCreation, offset: offset)
        }
    }

    /// Handles a 104 response; an invalid one is ignored, because the final response determines the result.
    ///
    /// However, an offset beyond the sent bytes causes the request to fail.
    private func receiveInterim(_ fields: HTTPFields, from url: URL, isCreation: Bool, offset: Int) {
        step.state.withLock { _ = $0.limits.read(fields) }
        if let response = try? UploadResponse(fields, kind), let received = response.offset, received >= offset {
            if received <= sentBytes {
                call.plan.control?.acknowledge(received)
            } else {
                progress.withLock { $0.overstated = received }
            }
        }
        guard isCreation, step.state.withLock({ $0.url == nil }),
            let location = try? location(in: fields, from: url)
        else { return }
        step.note(url: location, of: call)
        step.beginSaving(token(at: location))
    }

    /// Returns the URL of the upload in a response's fields; nil if there is no `Location`.
    func location(in fields: HTTPFields, from base: URL) throws(APIError) -> URL? {
        let values = fields[values: .location]
        guard let first = values.first else { return nil }
        guard values.allSatisfy({ $0.hasSameBytes(as: first) }), let url = URL.resolved(first, against: base) else {
            throw step.failure(.invalidField(name: HTTPField.Name.location.rawName, value: first), of: call)
        }
        return try step.target(of: url, from: base, of: call)
    }

    /// Returns a token for the upload; nil if no tokens are saved.
    func token(at url: URL) -> Resumable.Token? {
        content.digest.map { digest in
            Resumable.Token(
                length: content.length,
                location: url,
                kind: kind,
                endpoint: call.plan.endpointIdentity(hash: SHA256.hexadecimal(of:)),
                contentDigest: digest,
                fileDigest: content.fileDigest,
                boundary: call.plan.form?.boundary
            )
        }
    }
}
