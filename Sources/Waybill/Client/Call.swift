/// A call that is under way, as a ``Middleware`` sees it.
public struct Call: Sendable {
    /// Everything that is decided about the call.
    public let plan: Plan

    /// Which attempt this is, counted from 1.
    public let attempt: Int

    package init(plan: Plan, attempt: Int = 1) {
        self.plan = plan
        self.attempt = attempt
    }

    /// The settings that hold for the call, an app's own included.
    public var settings: Settings { plan.settings }

    /// The error with which a middleware gives up: ``APIError`` as it is, anything else as a ``MiddlewareFailure``.
    public func failure(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as TransportError: transportFailure(error)
        case is CancellationError: .cancelled(CancelledFailure(call: plan.failedCall(attempt: attempt)))
        default: .middleware(MiddlewareFailure(call: plan.failedCall(attempt: attempt), underlying: error))
        }
    }

    func transportFailure(_ error: TransportError) -> APIError {
        let call = plan.failedCall(attempt: attempt)
        return error.kind == .cancelled
            ? .cancelled(CancelledFailure(call: call)) : .transport(TransportFailure(call: call, error: error))
    }
}
