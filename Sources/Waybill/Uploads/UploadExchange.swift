import WaybillSystem

/// The requests of one attempt of an upload.
struct UploadExchange: Sendable {
    /// The next request, or the response with which the attempt ends.
    enum Move: Sendable {
        case create
        case retrieveOffset
        case append(from: Int)
        case finish(CallResponse)
    }

    /// The most times that the server may state an offset that is no progress.
    private static let allowedSetbacks = 3

    let step: UploadStep
    let call: Call
    let request: CallRequest
    let content: UploadContent
    let next: CallStep.Next

    /// The progress within the attempt.
    let progress = Locked(Progress())

    struct Progress: Sendable {
        /// The largest offset so far.
        var highest = -1
        var setbacks = 0
        /// The offset in an interim response that the server cannot have.
        var overstated: Int?
        /// The response to the last part, if the server has not said that the upload is complete.
        var pending: CallResponse?
    }

    var kind: Resumable.UploadProtocol.Kind { step.clause.uploadProtocol.kind }

    /// Sends requests until the upload is complete, or until one fails.
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
    /// Returns the fields of a response.
    ///
    /// - Throws: ``APIError/upload(_:)`` for a field that is not what the protocol allows.
    func fields(of response: CallResponse) async throws(APIError) -> UploadResponse {
        do throws(UploadResponse.InvalidField) {
            return try UploadResponse(response.headerFields, kind)
        } catch {
            throw await fail(.invalidField(name: error.name.rawName, value: error.value), dropping: response)
        }
    }

    /// Returns the failure for a reason, after its response has been dropped.
    func fail(_ reason: APIError.UploadFailure.Reason, dropping response: CallResponse) async -> APIError {
        await response.message.discardBody()
        let status = response.status
        // A newer version of tus (section "Tus-Version") explains anything else.
        if kind == .tus, status == 412, let versions = response.headerFields[.tusVersion] {
            return step.failure(.unsupportedVersion(versions), of: call)
        }
        return step.failure(reason, of: call)
    }

    /// Ends the attempt with a failed response of the protocol, which must not pass for one of the resource.
    func failed(_ response: CallResponse) async throws(APIError) -> Move {
        if kind == .tus, response.status == 412, let versions = response.headerFields[.tusVersion] {
            throw await fail(.unsupportedVersion(versions), dropping: response)
        }
        guard !call.plan.isSuccess(response.status) else {
            throw await fail(.unexpectedStatus(response.status), dropping: response)
        }
        return .finish(response)
    }

    /// Reads the limits of a response.
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

    /// Checks that the files of the body have not changed since the upload began.
    func checkFiles() async throws(APIError) {
        if let path = content.body.changedFile { throw step.failure(.changedFile(path: path), of: call) }
        // A program can set the time of a file back. What a token says of the bytes is known, and little to read.
        guard let known = content.digest, let paths = content.body.filePaths else { return }
        let digest: String
        do throws(TransportError) {
            digest = try await UploadContent.digest(of: content.body, length: content.length)
        } catch {
            throw step.naming(call.transportFailure(error), of: call)
        }
        if digest != known { throw step.failure(.changedFile(path: paths), of: call) }
    }

    /// The most bytes that the server can have.
    var sentBytes: Int { step.state.withLock { $0.isContinued ? content.length : $0.sentBytes } }

    /// Sends a request with the bytes of the upload up to an end, and notes how many of them the server can have.
    func send(_ request: CallRequest, upTo end: Int) async throws(APIError) -> CallResponse {
        var request = request
        let sentBefore = step.state.withLock { $0.sentBytes }
        let start = end - (request.body?.length ?? 0)
        if request.body?.bytes != nil {
            noteSent(end)
        } else {
            // A broken connection can leave the most of a long body unsent.
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

    /// Checks the response with which an upload ends as a success: it is not one if the server cannot have all bytes.
    func checkComplete(_ response: CallResponse, _ fields: UploadResponse) async throws(APIError) {
        if let offset = fields.offset, offset != content.length {
            throw await fail(
                offset > content.length ? .invalidOffset(offset) : .completedEarly(offset: offset),
                dropping: response
            )
        }
        // A server that does not speak the protocol may respond before it has read all.
        if fields.isComplete == true, sentBytes < content.length {
            throw await fail(.completedEarly(offset: sentBytes), dropping: response)
        }
    }

    /// Notes the number of bytes that the server has.
    ///
    /// - Parameters:
    ///   - offset: the number that it states.
    ///   - end: the end of the part that it has received.
    /// - Throws: ``APIError/upload(_:)`` for more bytes than it can have, and for no progress.
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

    /// Counts a request that has led to nothing.
    func noteSetback() throws(APIError) {
        let (isStuck, offset) = progress.withLock { progress in
            progress.setbacks += 1
            return (progress.setbacks > Self.allowedSetbacks, max(0, progress.highest))
        }
        if isStuck { throw step.failure(.noProgress(offset: offset), of: call) }
    }

    /// Returns the part of the upload that a request sends, which receives the interim responses to it.
    func part(at offset: Int, isCreation: Bool) -> UploadPart {
        UploadPart(offset: offset, length: content.length) { [self] status, fields, url in
            guard status.code == 104, kind == .draft else { return }
            receiveInterim(fields, from: url, isCreation: isCreation, offset: offset)
        }
    }

    /// Receives a 104; one that is not what the draft allows is ignored, as the final response decides.
    ///
    /// Except for an offset that the server cannot have: what it says about the upload is not true.
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

    /// Returns the URL of the upload in a response; nil if it has none.
    func location(in fields: HTTPFields, from base: URL) throws(APIError) -> URL? {
        let values = fields[values: .location]
        guard let first = values.first else { return nil }
        guard values.allSatisfy({ $0.hasSameBytes(as: first) }), let url = URL.resolved(first, against: base) else {
            throw step.failure(.invalidField(name: HTTPField.Name.location.rawName, value: first), of: call)
        }
        try step.check(url, from: base, of: call)
        return url
    }

    /// Returns the token of the upload; nil if none is kept.
    func token(at url: URL) -> Resumable.Token? {
        content.digest.map { digest in
            Resumable.Token(
                length: content.length,
                location: url,
                kind: kind,
                endpoint: call.plan.endpointIdentity,
                contentDigest: digest,
                fileDigest: content.fileDigest,
                boundary: call.plan.form?.boundary
            )
        }
    }
}
