import Foundation

extension Call {
    /// Whether a URL is on the origin to which the call's credential belongs: a middleware may have changed it.
    package func isOwn(_ url: HTTPURL) -> Bool {
        url == plan.url || Origin(url) == Origin(plan.url)
    }

    /// The failure of a credential that is not to be had.
    package func authorizationFailure(_ error: any Error, wasRefused: Bool = false) -> APIError {
        .authorization(
            AuthorizationFailure(
                call: plan.failedCall(attempt: attempt),
                underlying: error,
                wasRefused: wasRefused
            )
        )
    }

    /// Asks for a credential; what goes wrong is a failure of the call.
    func credential<Value: Sendable>(
        wasRefused: Bool = false,
        _ fetch: () async throws -> Value
    ) async throws(APIError) -> Value {
        do {
            return try await fetch()
        } catch  where Task.isCancelled {
            throw failure(CancellationError())
        } catch {
            throw authorizationFailure(error, wasRefused: wasRefused)
        }
    }
}
