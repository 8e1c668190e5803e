import WaybillJSON

/// A credential that could not be had.
///
/// Nothing was sent.
public struct AuthorizationFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the source of the credential threw; in a `DecodingError` the usual secrets are redacted.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        // The text of another decoding, of a token perhaps, shows an excerpt.
        var redaction = ErrorRedaction(ofKeys: SecretNameSet.usual.names)
        self.underlying = redaction.redacting(underlying)
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        "\(call) was not sent: its credential could not be had\n\(call.detail)\n  \(underlying)"
    }
}
