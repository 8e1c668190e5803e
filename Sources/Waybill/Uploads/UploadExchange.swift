#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        /// The response to the last part, if the server has not said that the upload is complete.
        var pending: CallResponse?
    }

    var kind: Resumable.UploadProtocol.Kind { step.clause.uploadProtocol.kind }

    /// Sends requests until the upload is complete, or until one fails.
    func run() async throws(APIError) -> CallResponse {
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
        await response.http.discardBody()
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

    /// Notes the number of bytes that the server has.
    func note(offset: Int) throws(APIError) {
        guard offset <= content.length else { throw step.failure(.invalidOffset(offset), of: call) }
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
    private func receiveInterim(_ fields: HTTPFields, from url: URL, isCreation: Bool, offset: Int) {
        step.state.withLock { _ = $0.limits.read(fields) }
        if let response = try? UploadResponse(fields, kind), let received = response.offset,
            received >= offset, received <= content.length
        {
            call.plan.control?.acknowledge(received)
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
    func token(at url: URL) -> UploadToken? {
        content.digest.map { digest in
            UploadToken(
                location: url,
                kind: kind,
                length: content.length,
                endpoint: call.uploadEndpoint,
                contentDigest: digest,
                boundary: call.plan.form?.boundary
            )
        }
    }
}
