/// A call that a middleware gave up for a reason of its own.
public struct MiddlewareFailure: Sendable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// The reason.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        self.underlying = underlying
    }

    var text: String { "\(call) was given up by a middleware: \(underlying)\n\(call.detail)" }
}
