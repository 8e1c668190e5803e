/// A credential that could not be had.
///
/// Nothing was sent.
public struct AuthorizationFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the source of the credential threw.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        self.underlying = underlying
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        "\(call) was not sent: its credential could not be had\n\(call.detail)\n  \(underlying)"
    }
}
