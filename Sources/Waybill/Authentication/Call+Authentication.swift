import WaybillSystem

extension Call {
    /// Whether a URL is on the call's own origin, where its credential may be sent.
    ///
    /// Middleware can change the URL of a request.
    package func isOwn(_ url: URL) -> Bool {
        url == plan.url || HTTPRequest.Origin(url) == HTTPRequest.Origin(plan.url)
    }

    /// Returns the error for a call whose credential is unavailable.
    package func authorizationFailure(_ error: any Error, wasRejected: Bool = false) -> APIError {
        .authorization(
            APIError.AuthorizationFailure(
                call: plan.failedCall(attempt: attempt),
                underlying: error,
                wasRejected: wasRejected
            )
        )
    }

    /// Fetches a credential and converts any error to a failure of the call.
    func credential<Value: Sendable>(
        wasRejected: Bool = false,
        _ fetch: () async throws -> Value
    ) async throws(APIError) -> Value {
        do {
            return try await fetch()
        } catch  where Task.isCancelled {
            throw failure(CancellationError())
        } catch {
            throw authorizationFailure(error, wasRejected: wasRejected)
        }
    }
}
