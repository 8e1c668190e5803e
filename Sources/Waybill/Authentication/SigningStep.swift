import WaybillSystem

/// The last step before the transport, which adds keys in the query, a response to a challenge, and a signature.
///
/// It also runs after each redirect: a request to the call's origin is authorized and signed for the new URL, and a
/// request to another origin is left unchanged.
struct SigningStep: CallStep {
    private let signer: (any Signed.Signer)?

    /// Creates the step; returns nil if the call does not need it.
    init?(_ call: Call) {
        signer = call.plan.isForeign ? nil : call.settings[Signed.self]?.signer
        guard signer == nil else { return }
        let isNeeded = call.plan.credentials.contains { credential in
            if case .query = credential.place { return true }
            if case .challenged = credential.secret { return true }
            return false
        }
        guard isNeeded else { return nil }
    }

    /// Sends the request with its credentials and signature.
    ///
    /// - Throws: ``APIError/authorization(_:)`` if the request cannot be authorized or signed; the errors of `next`.
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
        for case .challenged(let secret) in request.credentials {
            guard let responder = secret as? any ChallengeResponder else { continue }
            return try await responder.send(keyed, of: call) { (completed) async throws(APIError) in
                try await sendCompleted(completed, request, of: call, next)
            }
        }
        return try await sendCompleted(keyed, request, of: call, next)
    }

    /// Signs and sends a request, and does so once more if the server rejects the signature.
    private func sendCompleted(
        _ request: CallRequest,
        _ original: CallRequest,
        of call: Call,
        _ next: Next
    ) async throws(APIError) -> CallResponse {
        var completed = request
        var response: CallResponse
        if let signer {
            try await sign(&completed, by: signer, of: call)
            response = try await next(completed)
            if try await signer.mustSignAgain(after: &response, to: completed, of: call) {
                await response.message.discardBody()
                completed = request
                try await sign(&completed, by: signer, of: call)
                response = try await next(completed)
                // Shows the response to the signer, but ignores the result: a server could reject every signature.
                _ = try await signer.mustSignAgain(after: &response, to: completed, of: call)
            }
        } else {
            response = try await next(completed)
        }
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
            // Nothing was sent, so do not report a cancelled transfer.
            throw Task.isCancelled ? call.failure(CancellationError()) : call.authorizationFailure(error)
        }
        guard call.isOwn(signed.url) else { throw call.authorizationFailure(SignerChangedOrigin()) }
        let names = signed.names(addedTo: request.message)
        request.replace(signed)
        if !names.isEmpty { request.secretNames.formUnion(SecretNameSet(names)) }
    }
}

extension Signed.Signer {
    /// Shows a response to the signer, and returns whether to sign and send the request again.
    ///
    /// - Returns: `true` if the server rejected the request, the signer can sign it again, and its body is replayable.
    /// - Throws: any error thrown while reading a failed response's body, except for a 401, which the signer receives
    ///   without the body.
    @inline(never)  // keeps frames small: see Architecture.md
    fileprivate func mustSignAgain(
        after response: inout CallResponse,
        to request: CallRequest,
        of call: Call
    ) async throws(APIError) -> Bool {
        guard call.isOwn(response.url ?? request.url) else { return false }
        let isFailure = response.status.code >= 400 && !call.plan.isSuccess(response.status)
        if isFailure {
            do throws(APIError) {
                try await call.readBody(of: &response)
            } catch {
                guard !Task.isCancelled, response.status == 401 else { throw error }
            }
        }
        var message = response.message
        // A body that is still arriving can be read only once, which is left to the call.
        if !isFailure || message.body.bytes == nil { message.body = HTTPBody() }
        return await shouldSignAgain(after: message, to: request.message)
            && isFailure && response.status.code < 500 && request.body?.isReplayable ?? true
    }
}

/// A secret that computes responses to a server's challenges.
package protocol ChallengeResponder: ChallengedSecret {
    /// Sends a request with a response to the known challenge, and once more with a response to a new one.
    ///
    /// - Parameters:
    ///   - request: the request, complete except for the response to a challenge and the signature.
    ///   - call: the call.
    ///   - next: a closure that signs a request and sends it.
    /// - Returns: the response.
    /// - Throws: the errors of `next`, and ``APIError/authorization(_:)`` if no valid response can be computed.
    func send(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse
}

/// The error for a signer that changes the request's origin.
private struct SignerChangedOrigin: Error, CustomStringConvertible {
    let description = "the signer has changed the origin of the request"
}
