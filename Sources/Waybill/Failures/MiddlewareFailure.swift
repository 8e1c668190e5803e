/// A call that a middleware gave up for a reason of its own.
public struct MiddlewareFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// The reason.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        self.underlying = underlying
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String { "\(call) was given up by a middleware: \(underlying)\n\(call.detail)" }
}
