import WaybillJSON

/// A credential that could not be had, or a request that could not be signed.
///
/// Nothing was sent, or, where ``wasRefused`` says so, nothing but a request that the server refused.
public struct AuthorizationFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the source of the credential, or the signer, threw; in a `DecodingError` the usual secrets are redacted.
    public let underlying: any Error

    /// Whether the request was sent with an older credential and refused (401), and it is the new one that is missing.
    public let wasRefused: Bool

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error, wasRefused: Bool = false) {
        self.call = call
        self.wasRefused = wasRefused
        // The text of another decoding, of a token perhaps, shows an excerpt.
        var redaction = ErrorRedaction(ofKeys: SecretNameSet.usual.names)
        self.underlying = redaction.redacting(underlying)
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        let what = wasRefused ? "was refused, and its credential" : "was not sent: its credential"
        return "\(call) \(what) could not be \(wasRefused ? "renewed" : "had")\n\(call.detail)\n  \(underlying)"
    }
}
