import WaybillSystem

extension Call {
    /// Whether a URL has the call's origin and may therefore receive its credential.
    ///
    /// Middleware can replace a request's URL with one on another origin.
    package func isOwn(_ url: URL) -> Bool {
        url == plan.url || HTTPRequest.Origin(url) == HTTPRequest.Origin(plan.url)
    }

    /// Returns the error for a call without an available credential.
    package func authorizationFailure(_ error: any Error, wasRejected: Bool = false) -> APIError {
        .authorization(
            APIError.AuthorizationFailure(
                call: plan.failedCall(attempt: attempt),
                underlying: error,
                wasRejected: wasRejected
            )
        )
    }

    /// Fetches a credential, converting any error to an authorization failure or, if the task was cancelled, to a
    /// cancellation.
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
