import Waybill
import WaybillFiles
import WaybillSystem

extension Authorization.Credential {
    /// Returns a credential for Digest authentication (RFC 7616), which sends a hash instead of the password.
    ///
    /// The first request is sent without a credential. The server responds with a 401 and a challenge, and the request
    /// is sent again. Later requests respond to the same challenge without a rejection first. The supported algorithms
    /// are MD5 and SHA-256, with and without `-sess`, and the supported quality of protection is `auth`. If the server
    /// requires anything else, the call ends with the 401. A call whose body cannot be sent twice also ends with the
    /// 401, but the next request responds to the challenge.
    ///
    /// A colon or a control character in the user name, or an empty user name with an empty password, is a
    /// declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - user: the user name, without a colon.
    ///   - password: the password.
    /// - Returns: the credential.
    public static func digest(user: String, password: String) -> Self {
        Self(scheme: "Digest", secret: .challenged(DigestSecret(user: user, password: password)))
    }
}

/// A user and password for computing the response to each challenge.
struct DigestSecret: ChallengeResponder {
    let user: String
    let password: String

    var curlOption: String { "--digest" }

    // The error omits the text after the colon, which may be a password.
    var declarationError: Scope.DeclarationError? {
        if user.isEmpty, password.isEmpty {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".digest(user: \"\", password: \"\")",
                reason: "the user and the password are empty; \(Authorization.Credential.adviceForEmptySecrets)"
            )
        }
        if user.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".digest(user: …, password: …)",
                reason: "the user contains a line break or another control character, which is invalid in a field"
            )
        }
        guard let colon = user.firstIndex(of: ":") else { return nil }
        return Scope.DeclarationError(
            clause: "Authorization",
            value: ".digest(user: \"\(user[...colon])…\")",
            reason: "a user name cannot contain a colon (RFC 7616, section 3.4.2); give the password separately"
        )
    }

    /// Sends a request with a response to the known challenge, and sends it again if the server responds with a new
    /// challenge.
    @inline(never)  // keeps frames small: see Architecture.md
    func send(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse {
        let session = DigestSession.of(user, at: request.url, in: call.context.storage)
        let known = session.next()
        let first = try await next(try authorized(request, known, of: call))
        guard first.status == 401 else { return first }
        let challenge = HTTPField.Challenge.all(in: first.headerFields).lazy.compactMap(DigestChallenge.init).first
        guard let challenge, !(known?.challenge.nonce.hasSameBytes(as: challenge.nonce) ?? false) else {
            session.forget(known?.challenge)
            return first
        }
        let clientNonce = challenge.algorithm.isSession ? call.newClientNonce : nil
        guard request.body?.isReplayable ?? true else {
            // Store the challenge for the next request; otherwise, requests with such bodies would always be rejected.
            session.learn(challenge, clientNonce: clientNonce)
            return first
        }
        await first.message.discardBody()
        guard !Task.isCancelled else { throw call.transportFailure(TransportError(.cancelled)) }
        let turn = session.begin(challenge, clientNonce: clientNonce)
        let second = try await next(try authorized(request, turn, of: call))
        if second.status == 401 { session.forget(challenge) }
        return second
    }

    /// Returns the request with a response to the challenge, or unchanged if there is no known challenge.
    private func authorized(
        _ request: CallRequest,
        _ turn: DigestSession.Turn?,
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
