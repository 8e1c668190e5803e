/// A condition of the requests of a call, checked right before each is sent, when it has its credential.
///
/// If it does not hold, nothing is sent, and the call ends as if it were cancelled.
package struct SendingCondition: Setting {
    /// Whether a request can be sent now.
    package let holds: @Sendable () -> Bool

    /// Creates a condition.
    package init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }

    package var summary: String { "" }
}

extension Call {
    /// The failure of a request whose ``SendingCondition`` does not hold.
    var withheld: APIError {
        var failure = APIError.CancelledFailure(call: plan.failedCall(attempt: attempt))
        // An earlier attempt was sent.
        failure.awaitedServer = attempt > 1
        return .cancelled(failure)
    }
}
