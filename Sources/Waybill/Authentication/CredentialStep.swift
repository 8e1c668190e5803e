import Foundation

/// Puts a call's credential into each request that goes to the origin to which it belongs.
package struct CredentialStep: Middleware {
    private let credential: Credential

    package init(_ credential: Credential) { self.credential = credential }

    /// Fetches the credential and sends the request with it.
    ///
    /// - Throws: ``APIError/authorization(_:)`` where there is none to be had; nothing is sent then.
    package func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        guard isOwn(request.url, of: call) else { return try await next(request) }
        return try await next(try await authorized(request, of: call))
    }

    /// Whether a URL is on the origin to which the call's credential belongs: a middleware may have changed it.
    private func isOwn(_ url: URL, of call: Call) -> Bool {
        url == call.plan.url || Origin(url) == Origin(call.plan.url)
    }

    private func authorized(_ request: HTTPRequest, of call: Call) async throws(APIError) -> HTTPRequest {
        var request = request
        do {
            let secret =
                switch credential.secret {
                case .text(let text): text
                case .source(let source): try await source()
                }
            guard let field = HTTPField(name: .authorization, value: "\(credential.scheme) \(secret)") else {
                throw InvalidCredential()
            }
            request.headerFields.removeAll(named: .authorization)
            request.headerFields.append(field)
            return request
        } catch  where Task.isCancelled {
            throw call.failure(CancellationError())
        } catch {
            throw .authorization(
                AuthorizationFailure(call: call.plan.failedCall(attempt: call.attempt), underlying: error)
            )
        }
    }
}

/// A credential that a header field cannot carry.
///
/// It is not shown: it is a secret.
struct InvalidCredential: Error, CustomStringConvertible {
    var description: String { "the credential has a line break or another control character in it" }
}
