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

        /// The status of the failed response to the app's call for the credential, such as a login; nil if it has
        /// failed otherwise.
        public var status: HTTPResponse.Status? {
            switch underlying {
            case APIError.authorization(let failure): failure.status
            case let error as APIError: error.status
            default: nil
            }
        }

        /// Returns the typed body of the failed response to the app's call for the credential, if it has that type; see
        /// ``Problem``.
        ///
        /// - Parameter type: the type of the problem.
        /// - Returns: the problem; nil without one of that type.
        public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
            switch underlying {
            case APIError.authorization(let failure): failure.problem(as: type)
            case let error as APIError: error.problem(as: type)
            default: nil
            }
        }

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

        /// The sentence of the credential's error, unless it only means that the user has to sign in.
        var ownSentence: String? {
            switch underlying {
            // OAuth 2.0 answers an expired grant with 400 (RFC 6749, section 5.2).
            case APIError.status(let failure)
            where [400, 401, 403].contains((failure.equivalentStatus ?? failure.status).code):
                failure.ownSentence.map { failure.call.redacted($0) }
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

/// A credential that cannot be sent.
///
/// It is not shown: it is a secret.
enum InvalidCredential: Error, CustomStringConvertible {
    case controlCharacter
    case empty

    var description: String {
        switch self {
        case .controlCharacter: "the credential has a line break or another control character in it"
        case .empty:
            "the credential is empty; if its source has no credential, throw an error there, or declare"
                + " Authorization.none for calls without one"
        }
    }
}
