import WaybillSystem

/// A step that adds a credential to requests to the call's origin, and resends a rejected request once with a renewed
/// credential.
package struct CredentialStep: CallStep {
    private let credential: Authorization.Credential

    package init(_ credential: Authorization.Credential) { self.credential = credential }

    /// Fetches the credential and sends the request with it.
    ///
    /// - Throws: ``APIError/authorization(_:)`` if no credential is available, and the errors of the inner steps.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        guard call.isOwn(request.url) else { return try await next(request) }
        switch credential.secret {
        case .text(let text): return try await next(try filled(request, with: text, of: call))
        case .source(let source):
            let text = try await call.credential { try await source() }
            return try await next(try filled(request, with: text, of: call))
        case .challenged(let secret):
            var request = request
            request.credentials.append(.challenged(secret))
            return try await next(request)
        case .renewable(let secret): return try await renewing(secret, request, of: call, next: next)
        }
    }

    /// Returns a copy of a request with the credential, to identify the caller.
    ///
    /// - Throws: ``APIError/authorization(_:)`` if no credential is available.
    package func identified(
        _ request: CallRequest,
        of call: Call,
        mayRenew: Bool = true
    ) async throws(APIError) -> CallRequest {
        guard call.isOwn(request.url) else { return request }
        switch credential.secret {
        case .text(let text): return try filled(request, with: text, of: call)
        case .source(let source):
            return try filled(request, with: try await call.credential { try await source() }, of: call)
        case .renewable(let secret):
            let issued =
                mayRenew
                ? try await call.credential { try await secret.issued { call.context.dates.now } } : secret.present
            if issued.wasAwaited { call.report(.refreshed) }
            return try filled(request, with: issued.text, of: call)
        case .challenged(let secret):
            var request = request
            request.credentials.append(.challenged(secret))
            return request
        }
    }

    private func renewing(
        _ secret: any RenewableSecret,
        _ request: CallRequest,
        of call: Call,
        next: Next
    ) async throws(APIError) -> CallResponse {
        let now: @Sendable () -> Date = { call.context.dates.now }
        let issued = try await call.credential { try await secret.issued(now: now) }
        if issued.wasAwaited { call.report(.refreshed) }
        var response = try await next(try filled(request, with: issued.text, of: call))
        // After a redirect to another origin, the responding server did not receive the credential and cannot reject
        // it.
        guard secret.rejectedStatuses.contains(response.status),
            response.status != 401 || !call.plan.isSuccess(401), call.isOwn(response.url ?? request.url)
        else { return response }
        // Read the body first, because an unread body holds a connection that the renewal may need.
        do throws(APIError) {
            try await call.readBody(of: &response)
        } catch {
            // A 401 can be recognized as a rejection even if its body cannot be read.
            guard !Task.isCancelled, response.status == 401 else { throw error }
        }
        guard secret.isRejected(by: response.message) else { return response }
        let fields = response.headerFields
        guard request.body?.isReplayable ?? true else {
            secret.reject(issued, by: fields)
            return response
        }
        let renewed = try await call.credential(wasRejected: true) {
            try await secret.renewed(after: issued, by: fields, now: now)
        }
        if renewed.wasAwaited { call.report(.refreshed) }
        guard renewed.text.map(BytewiseString.init) != issued.text.map(BytewiseString.init) else { return response }
        return try await next(try filled(request, with: renewed.text, of: call))
    }

    private func filled(_ request: CallRequest, with secret: String?, of call: Call) throws(APIError) -> CallRequest {
        guard let secret else { return request }
        guard !credential.isEmpty(secret) else { throw call.authorizationFailure(InvalidCredential.empty) }
        var request = request
        switch credential.place {
        case .authorization:
            try set(.authorization, "\(credential.scheme) \(secret)", in: &request, of: call)
        case .field(let name):
            guard let name = HTTPField.Name(name) else {
                throw call.authorizationFailure(InvalidCredential.controlCharacter)
            }
            try set(name, secret, in: &request, of: call)
        case .query(let name): request.credentials.append(.query(name: name, value: secret))
        }
        return request
    }

    private func set(
        _ name: HTTPField.Name,
        _ value: String,
        in request: inout CallRequest,
        of call: Call
    ) throws(APIError) {
        guard HTTPField.isValid(value: value) else {
            throw call.authorizationFailure(InvalidCredential.controlCharacter)
        }
        request.headerFields.removeAll(named: name)
        request.headerFields.append(HTTPField(name: name, value: value, isSensitive: true))
    }
}
