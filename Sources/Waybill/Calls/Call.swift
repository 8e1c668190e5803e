/// A call that is under way, as a ``Middleware`` sees it.
public struct Call: Sendable {
    /// The plan of the call.
    public let plan: Plan

    /// The number of this attempt, counted from 1.
    public let attempt: Int

    /// The context of the call.
    package let context: CallContext

    package init(plan: Plan, attempt: Int = 1, context: CallContext = CallContext()) {
        self.plan = plan
        self.attempt = attempt
        self.context = context
    }

    /// Returns the same call at another attempt.
    package func at(attempt: Int) -> Call {
        attempt == self.attempt ? self : Call(plan: plan, attempt: attempt, context: context)
    }

    /// The secrets of the declaration, and those of the requests whose responses the call's middlewares have seen.
    package var secrets: SecretNameSet {
        context.sentSecrets.reduce(into: plan.secrets.collected) { $0.formUnion($1.collected) }
    }

    /// The settings that hold for the call, an app's own included.
    public var settings: Scope.Settings { plan.settings }

    /// Returns the error with which a middleware gives up: an ``APIError`` as it is, any other as a
    /// ``APIError/MiddlewareFailure``.
    public func failure(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as TransportError: transportFailure(error)
        case is CancellationError: .cancelled(APIError.CancelledFailure(call: plan.failedCall(attempt: attempt)))
        default: .middleware(APIError.MiddlewareFailure(call: plan.failedCall(attempt: attempt), underlying: error))
        }
    }

    /// Returns the failure of a request, with its secrets removed from the error's texts.
    // Not inlined: its values need no room for as long as a call waits.
    @inline(never)
    package func transportFailure(_ error: TransportError, sent request: CallRequest? = nil) -> APIError {
        var call = plan.failedCall(attempt: attempt)
        if let request { call.secrets = request.secrets }
        guard error.kind == .cancelled else {
            let secrets = (request?.secrets ?? plan.secrets).collected
            return .transport(APIError.TransportFailure(call: call, error: error.redacted(by: secrets)))
        }
        var failure = APIError.CancelledFailure(call: call)
        failure.awaitedServer = true
        return .cancelled(failure)
    }
}

extension Call: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted.
    public var description: String { plan.description }

    /// The plan, secrets redacted, and the number of the attempt.
    public var customMirror: Mirror {
        Mirror(self, children: ["plan": plan, "attempt": attempt], displayStyle: .struct)
    }
}
