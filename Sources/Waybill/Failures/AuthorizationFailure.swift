/// A credential that could not be had, or a request that could not be signed.
///
/// Nothing was sent, or, where ``wasRefused`` says so, nothing but a request that the server refused.
public struct AuthorizationFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the source of the credential, or the signer, threw; in a `DecodingError` the secrets are redacted.
    public let underlying: any Error

    /// Whether the request was sent with an older credential and refused (401), and it is the new one that is missing.
    public let wasRefused: Bool

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error, wasRefused: Bool = false) {
        self.call = call
        self.wasRefused = wasRefused
        // The text of another decoding, of a token perhaps, shows an excerpt.
        self.underlying = call.redacted(underlying)
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        let what = wasRefused ? "was refused, and its credential" : "was not sent: its credential"
        return "\(call) \(what) could not be \(wasRefused ? "renewed" : "had")\n\(call.detail)\n  \(reason)"
    }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "underlying": reason, "wasRefused": wasRefused], displayStyle: .struct)
    }

    private var reason: String { call.redacted("\(underlying)") }
}
