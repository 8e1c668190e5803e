/// A condition checked immediately before each request of a call is sent, after the credential has been added.
///
/// If the condition is false, nothing is sent, and the call ends as if cancelled.
package struct SendingCondition: Setting {
    /// Returns whether a request can be sent now.
    package let holds: @Sendable () -> Bool

    package init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }

    package var summary: String { "" }
}

extension Call {
    /// The error for a request whose ``SendingCondition`` is false.
    var withheld: APIError {
        var failure = APIError.CancelledFailure(call: plan.failedCall(attempt: attempt))
        // On a later attempt, an earlier request may have reached the server.
        failure.awaitedServer = attempt > 1
        return .cancelled(failure)
    }
}

/// A setting for a call that needs a new response from the server, because a cached one would be incorrect.
package struct NeedsNewResponse: Setting {
    package init() {}

    package var summary: String { "" }
}
