/// A condition that is checked before each request of a call is sent, after its credential was added.
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
        // If this is not the first attempt, an earlier one was sent.
        failure.awaitedServer = attempt > 1
        return .cancelled(failure)
    }
}
