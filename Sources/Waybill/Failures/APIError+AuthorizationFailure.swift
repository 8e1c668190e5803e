extension APIError {
    /// A call without an available credential, or a request that could not be signed.
    ///
    /// Nothing was sent; if ``wasRejected`` is true, nothing but a request that the server rejected.
    public struct AuthorizationFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The error of the credential's source, or of the signer; in a `DecodingError` the secrets are redacted.
        public let underlying: any Error

        /// Whether the request was sent with an older credential and rejected (401), and the new one is missing.
        public let wasRejected: Bool

        /// Creates a failure.
        public init(call: FailedCall, underlying: any Error, wasRejected: Bool = false) {
            self.call = call
            self.wasRejected = wasRejected
            // The text of another decoding, of a token perhaps, shows an excerpt.
            self.underlying = call.redacted(underlying)
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String {
            let outcome =
                switch underlying {
                case _ where wasRejected: "was rejected, and its credential could not be renewed"
                case is APIError: "was not sent: the call for its credential failed"
                case is InvalidCredential: "was not sent: its credential cannot be sent"
                default: "was not sent: no credential was available"
                }
            let lines = reason.split(separator: "\n").map { "  \($0)" }
            return (["\(call) \(outcome)", call.detail] + lines).joined(separator: "\n")
        }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: ["call": call, "underlying": reason, "wasRejected": wasRejected],
                displayStyle: .struct
            )
        }

        private var reason: String { call.redacted("\(underlying)") }
    }
}

/// A credential that a header field cannot carry.
///
/// It is not shown: it is a secret.
struct InvalidCredential: Error, CustomStringConvertible {
    var description: String { "the credential has a line break or another control character in it" }
}
