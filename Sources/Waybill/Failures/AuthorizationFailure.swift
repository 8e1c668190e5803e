/// A credential that could not be had. Nothing was sent.
public struct AuthorizationFailure: Sendable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the source of the credential threw.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        self.underlying = underlying
    }

    var text: String { "\(call) was not sent: its credential could not be had\n\(call.detail)\n  \(underlying)" }
}
