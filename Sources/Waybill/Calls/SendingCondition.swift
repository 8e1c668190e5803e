/// A condition that is checked just before each request of a call is sent, after the credential has been added.
///
/// If the condition does not hold, nothing is sent, and the call ends as if it were cancelled.
package struct SendingCondition: Setting {
    /// Returns whether a request can be sent now.
    package let holds: @Sendable () -> Bool

    package init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }

    package var summary: String { "" }
}

extension Call {
    /// The error of a request whose ``SendingCondition`` does not hold.
    var withheld: APIError {
        var failure = APIError.CancelledFailure(call: plan.failedCall(attempt: attempt))
        // If this is not the first attempt, an earlier one may have reached the server.
        failure.awaitedServer = attempt > 1
        return .cancelled(failure)
    }
}

/// A setting of a call whose response must come from the server, not from a cache: an older one would be wrong.
package struct NeedsNewResponse: Setting {
    package init() {}

    package var summary: String { "" }
}
