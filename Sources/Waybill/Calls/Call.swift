import Foundation

/// A call that is under way, as a ``Middleware`` sees it.
public struct Call: Sendable {
    /// Everything that is decided about the call.
    public let plan: Plan

    /// Which attempt this is, counted from 1.
    public let attempt: Int

    /// What the call has around it.
    package let context: CallContext

    package init(plan: Plan, attempt: Int = 1, context: CallContext = CallContext()) {
        self.plan = plan
        self.attempt = attempt
        self.context = context
    }

    /// The same call at another attempt.
    package func at(attempt: Int) -> Call {
        attempt == self.attempt ? self : Call(plan: plan, attempt: attempt, context: context)
    }

    /// The settings that hold for the call, an app's own included.
    public var settings: CallSettings { plan.settings }

    /// The error with which a middleware gives up: ``APIError`` as it is, anything else as a ``MiddlewareFailure``.
    public func failure(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as TransportError: transportFailure(error)
        case is CancellationError: .cancelled(CancelledFailure(call: plan.failedCall(attempt: attempt)))
        default: .middleware(MiddlewareFailure(call: plan.failedCall(attempt: attempt), underlying: error))
        }
    }

    /// Reads the body of a response, and leaves it in the response to be read again.
    ///
    /// For a middleware that looks into bodies. Nothing is lost: the bytes take the place of the stream.
    ///
    /// - Parameters:
    ///   - response: The response, whose body is in memory afterwards.
    ///   - limit: The most bytes to accept; nil for the limit of successful bodies that ``BodyLimits`` declares.
    /// - Throws: ``APIError/transport(_:)`` for a body that breaks off, or that has more bytes than the limit.
    public func bytes(of response: inout HTTPResponse, upTo limit: Int? = nil) async throws(APIError) -> Data {
        do throws(TransportError) {
            let bytes: Data
            if let limit {
                bytes = try await response.body.collect(upTo: limit)
            } else {
                bytes = try await Self.whole(response.body, plan.successLimit)
            }
            response.body = HTTPBody(bytes)
            return bytes
        } catch {
            throw transportFailure(error)
        }
    }

    /// The failure of a request, whose secrets are taken out of the error's texts.
    package func transportFailure(_ error: TransportError, sent request: HTTPRequest? = nil) -> APIError {
        var call = plan.failedCall(attempt: attempt)
        if let secrets = request?.sentSecrets { call.secrets = secrets }
        guard error.kind == .cancelled else {
            return .transport(TransportFailure(call: call, error: error.redacted(by: call.secrets)))
        }
        var failure = CancelledFailure(call: call)
        failure.awaitedServer = !error.isBeforeTransport && !error.hasLeftOrigin
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
