import WaybillJSON

/// A call that a middleware gave up for a reason of its own.
public struct MiddlewareFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// The reason; in a `DecodingError` the usual secrets are redacted.
    public let underlying: any Error

    /// Creates a failure.
    public init(call: FailedCall, underlying: any Error) {
        self.call = call
        // The text of another decoding, of a token perhaps, shows an excerpt.
        var redaction = ErrorRedaction(ofKeys: SecretNameSet.usual.names)
        self.underlying = redaction.redacting(underlying)
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String { "\(call) was given up by a middleware: \(underlying)\n\(call.detail)" }
}
