import WaybillSystem

extension APIError {
    /// A call without an available credential, or a request that could not be signed.
    ///
    /// Nothing was sent; if ``wasRejected`` is true, nothing but a request that the server rejected.
    public struct AuthorizationFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The error of the credential's source, or of the signer; in a `DecodingError` the secrets are redacted.
        public let underlying: any Error

        /// Whether the request was sent with an older credential and rejected (401), and the new one is missing.
        public let wasRejected: Bool

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, underlying: any Error, wasRejected: Bool = false) {
            self.call = call
            self.wasRejected = wasRejected
            // The text of another decoding, of a token perhaps, shows an excerpt.
            self.underlying = call.redacted(underlying)
        }

        var apiError: APIError { .authorization(self) }

        var outcome: String {
            switch underlying {
            case _ where wasRejected: "was rejected, and its credential could not be renewed"
            case is APIError: "was not sent: the call for its credential failed"
            case is InvalidCredential: "was not sent: its credential cannot be sent"
            default: "was not sent: no credential was available"
            }
        }

        var details: [String] { reason.split(separator: "\n").map(String.init) }
        var properties: [Mirror.Child] { [("underlying", reason), ("wasRejected", wasRejected)] }
        var brief: String { "no credential" }
        var sentence: ErrorSentence { .notSignedIn }

        /// The sentence of the credential's error, unless it means that the user has to sign in.
        var ownSentence: String? {
            switch underlying {
            // OAuth 2.0 answers an expired grant with 400 (RFC 6749, section 5.2).
            case APIError.status(let failure)
            where [400, 401, 403].contains((failure.equivalentStatus ?? failure.status).code):
                nil
            case let error as APIError: error.errorDescription
            case is CancellationError: ErrorSentence.cancelled.text
            // Of a source that asks another server by itself.
            case is any URLLoadingError: ErrorSentence.cannotBeReached.text
            default: (underlying as? any LocalizedError)?.errorDescription
            }
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
