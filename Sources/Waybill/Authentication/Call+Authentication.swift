import WaybillSystem

extension Call {
    /// Whether a URL is on the origin to which the call's credential belongs: a middleware may have changed it.
    package func isOwn(_ url: URL) -> Bool {
        url == plan.url || HTTPRequest.Origin(url) == HTTPRequest.Origin(plan.url)
    }

    /// Returns the failure of a call for which no credential was available.
    package func authorizationFailure(_ error: any Error, wasRejected: Bool = false) -> APIError {
        .authorization(
            APIError.AuthorizationFailure(
                call: plan.failedCall(attempt: attempt),
                underlying: error,
                wasRejected: wasRejected
            )
        )
    }

    /// Asks for a credential; what goes wrong is a failure of the call.
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
