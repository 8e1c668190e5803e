import WaybillSystem

/// The last step before the transport, which adds query keys, a digest response or a signature to the request.
///
/// It runs for each redirect: a request within the call's origin is authorized and signed for its own URL, but a
/// request to another origin is left unchanged.
struct SigningStep: CallStep {
    private let signer: (any Signed.Signer)?

    /// Creates the step; returns nil if the call does not need it.
    init?(_ call: Call) {
        signer = call.plan.isForeign ? nil : call.settings[Signed.self]?.signer
        guard signer == nil else { return }
        let isNeeded = call.plan.credentials.contains { credential in
            if case .query = credential.place { return true }
            if case .digest = credential.secret { return true }
            return false
        }
        guard isNeeded else { return nil }
    }

    /// Adds the credentials and the signature, and sends the request.
    ///
    /// - Throws: the error of `next`, and ``APIError/authorization(_:)`` if the request cannot be authorized or signed.
    func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping Next
    ) async throws(APIError) -> CallResponse {
        guard call.isOwn(request.url), !request.hasLeftOrigin else { return try await next(request) }
        var keyed = request
        for case .query(let name, let value) in request.credentials {
            if let url = keyed.url.settingQuery(name, value) { keyed.url = url }
        }
        for case .digest(let user, let password) in request.credentials {
            return try await sendDigested(keyed, request, of: call, next, user: user, password: password)
        }
        return try await sendCompleted(keyed, request, of: call, next)
    }

    /// Sends a request with a response to the known challenge, and sends it again if the server responds with a new
    /// challenge.
    @inline(never)
    private func sendDigested(
        _ request: CallRequest,
        _ original: CallRequest,
        of call: Call,
        _ next: @escaping Next,
        user: String,
        password: String
    ) async throws(APIError) -> CallResponse {
        let session = DigestSession.of(user, at: request.url, in: call.context.storage)
        let known = session.next()
        let first = try await sendCompleted(
            try authorized(request, known, user: user, password: password, of: call),
            original,
            of: call,
            next
        )
        guard first.status == 401 else { return first }
        let challenge = Challenge.all(in: first.headerFields).lazy.compactMap(DigestChallenge.init).first
        guard let challenge, !(known?.challenge.nonce.hasSameBytes(as: challenge.nonce) ?? false) else {
            session.forget(known?.challenge)
            return first
        }
        let clientNonce = challenge.algorithm.isSession ? call.newClientNonce : nil
        guard request.body?.isReplayable ?? true else {
            // Store the challenge for the next request: otherwise requests with such bodies would always be rejected.
            session.learn(challenge, clientNonce: clientNonce)
            return first
        }
        await first.message.discardBody()
        guard !Task.isCancelled else { throw call.transportFailure(TransportError(.cancelled)) }
        let turn = session.begin(challenge, clientNonce: clientNonce)
        let second = try await sendCompleted(
            try authorized(request, turn, user: user, password: password, of: call),
            original,
            of: call,
            next
        )
        if second.status == 401 { session.forget(challenge) }
        return second
    }

    /// Returns the request with a response to the challenge, or unchanged if there is no known challenge.
    private func authorized(
        _ request: CallRequest,
        _ turn: DigestSession.Turn?,
        user: String,
        password: String,
        of call: Call
    ) throws(APIError) -> CallRequest {
        guard let turn else { return request }
        let digest = DigestResponse(
            user: user,
            password: password,
            method: request.method.rawValue,
            target: request.url.requestTarget,
            clientNonce: turn.clientNonce ?? call.newClientNonce
        )
        let value = digest.value(for: turn.challenge, count: turn.count)
        guard HTTPField.isValid(value: value) else {
            throw call.authorizationFailure(InvalidCredential.controlCharacter)
        }
        var request = request
        request.headerFields.removeAll(named: .authorization)
        request.headerFields.append(HTTPField(name: .authorization, value: value, isSensitive: true))
        return request
    }

    /// Signs a request and sends it.
    private func sendCompleted(
        _ request: CallRequest,
        _ original: CallRequest,
        of call: Call,
        _ next: Next
    ) async throws(APIError) -> CallResponse {
        var completed = request
        if let signer { try await sign(&completed, by: signer, of: call) }
        var response = try await next(completed)
        // Do not expose the key in the sent URL.
        if response.url == completed.url { response.url = original.url }
        return response
    }

    private func sign(
        _ request: inout CallRequest,
        by signer: any Signed.Signer,
        of call: Call
    ) async throws(APIError) {
        var signed = request.message
        do {
            try await signer.sign(&signed, body: request.body.map(\.bytes) ?? Data())
            try Task.checkCancellation()
        } catch {
            // Nothing was sent, so do not report the cancellation of a transfer.
            throw Task.isCancelled ? call.failure(CancellationError()) : call.authorizationFailure(error)
        }
        guard call.isOwn(signed.url) else { throw call.authorizationFailure(SignerChangedOrigin()) }
        let names = signed.names(addedTo: request.message)
        request.replace(signed)
        if !names.isEmpty { request.secretNames.formUnion(SecretNameSet(names)) }
    }
}

extension Call {
    /// A new random client nonce for a digest response.
    fileprivate var newClientNonce: String {
        let random = context.randomSource
        return String(random.next(), radix: 16) + String(random.next(), radix: 16)
    }
}

extension URL {
    /// The request target: the path and query of the URL (RFC 9112, section 3.2.1).
    fileprivate var requestTarget: String {
        let text = textWithoutFragment
        guard let start = text.firstRange(ofBytes: "://")?.upperBound,
            let target = text[start...].firstIndex(where: { $0 == "/" || $0 == "?" })
        else { return "/" }
        return (text[target] == "?" ? "/" : "") + text[target...]
    }
}

/// The error if a signer changes the request's origin.
private struct SignerChangedOrigin: Error, CustomStringConvertible {
    let description = "the signer has changed the origin of the request"
}
