import Foundation

/// The last step before the transport: puts into each request to the call's own origin what belongs to its URL alone:
/// a key in the query, the answer to a digest challenge, a signature.
///
/// It stands below redirects: each request to which one leads gets its own, and one to another origin nothing.
package struct OwnOriginTransport: Transport {
    private let transport: any Transport
    private let call: Call
    private let signer: (any RequestSigner)?

    package init(_ transport: any Transport, for call: Call) {
        self.transport = transport
        self.call = call
        signer = call.plan.isForeign ? nil : call.settings[Signed.self]?.signer
    }

    /// Whether a call needs it.
    package static func isNeeded(for call: Call) -> Bool {
        if call.settings[Signed.self]?.signer != nil { return true }
        guard let credential = call.plan.credential else { return false }
        if case .query = credential.place { return true }
        if case .digest = credential.secret { return true }
        return false
    }

    /// Completes the request and sends it.
    ///
    /// - Throws: what the transport throws, and for a signature that is not to be had an error that has an
    ///   ``APIError`` below it.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard call.isOwn(request.url), !request.hasLeftOrigin else { return try await transport.send(request) }
        guard case .digest(let user, let password)? = request.credential else {
            return try await sendCompleted(request, request)
        }
        let session = DigestSession.of(user, at: request.url.value, in: call.context.shared)
        let known = session.next()
        let first = try await sendCompleted(
            try answered(request, known, user: user, password: password),
            request
        )
        guard first.status == 401 else { return first }
        let challenge = Challenge.all(in: first.headerFields).lazy.compactMap(DigestChallenge.init).first
        guard let challenge, !(known?.challenge.nonce.hasSameBytes(as: challenge.nonce) ?? false) else {
            session.forget(known?.challenge)
            return first
        }
        let clientNonce = challenge.algorithm.isSession ? newClientNonce : nil
        guard request.body?.isReplayable ?? true else {
            // The next request answers it, or none that has such a body would ever get in.
            session.learn(challenge, clientNonce: clientNonce)
            return first
        }
        await first.discardBody()
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        let turn = session.begin(challenge, clientNonce: clientNonce)
        let second = try await sendCompleted(
            try answered(request, turn, user: user, password: password),
            request
        )
        if second.status == 401 { session.forget(challenge) }
        return second
    }

    /// Puts the answer to a challenge into a request, where there is one to answer.
    private func answered(
        _ request: HTTPRequest,
        _ turn: DigestSession.Turn?,
        user: String,
        password: String
    ) throws(TransportError) -> HTTPRequest {
        guard let turn else { return request }
        let answer = DigestAnswer(
            user: user,
            password: password,
            method: request.method.rawValue,
            target: request.url.value.requestTarget,
            clientNonce: turn.clientNonce ?? newClientNonce
        )
        let value = answer.value(for: turn.challenge, count: turn.count)
        guard let field = HTTPField(name: .authorization, value: value) else {
            throw refusal(InvalidCredential(), of: request)
        }
        var request = request
        request.headerFields.removeAll(named: .authorization)
        request.headerFields.append(field)
        return request
    }

    private var newClientNonce: String {
        let random = call.context.randomness
        return String(random.next(), radix: 16) + String(random.next(), radix: 16)
    }

    /// Puts the key and the signature into a request, and sends it.
    private func sendCompleted(
        _ request: HTTPRequest,
        _ original: HTTPRequest
    ) async throws(TransportError) -> HTTPResponse {
        var completed = request
        if case .query(let name, let value)? = request.credential, let url = request.url.value.settingQuery(name, value)
        {
            completed.url.value = url
        }
        if let signer { try await sign(&completed, by: signer) }
        var response = try await transport.send(completed)
        // Of the URL that was asked, nobody is to see the key.
        if response.url == completed.url { response.url = original.url }
        response.request = completed
        return response
    }

    private func sign(_ request: inout HTTPRequest, by signer: any RequestSigner) async throws(TransportError) {
        let unsigned = request
        do {
            try await signer.sign(&request, body: request.body.map(\.bytes) ?? Data())
            try Task.checkCancellation()
        } catch  where Task.isCancelled {
            var error = TransportError(.cancelled)
            error.isBeforeTransport = true
            throw error
        } catch {
            throw refusal(error, of: request)
        }
        guard call.isOwn(request.url) else { throw refusal(LedElsewhere(), of: request) }
        let names = request.names(addedTo: unsigned)
        if !names.isEmpty { request.secretNames.formUnion(SecretNameSet(names)) }
    }

    private func refusal(_ error: any Error, of request: HTTPRequest) -> TransportError {
        let call = call.at(attempt: request.attempt)
        return TransportError(.unsupportedRequest, underlying: call.authorizationFailure(error))
    }
}

extension URL {
    /// What the first line of a request has of the URL: path and query (RFC 9112, section 3.2.1).
    fileprivate var requestTarget: String {
        let text = absoluteString.prefix { $0 != "#" }
        guard let start = text.range(of: "://")?.upperBound,
            let target = text[start...].firstIndex(where: { $0 == "/" || $0 == "?" })
        else { return "/" }
        return (text[target] == "?" ? "/" : "") + text[target...]
    }
}

/// A signer that has changed where a request goes.
private struct LedElsewhere: Error, CustomStringConvertible {
    let description = "the signer has led the request to another origin"
}
