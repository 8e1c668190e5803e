import WaybillSystem

extension APIError {
    /// A failure to obtain a credential for a call or to sign its request.
    ///
    /// Nothing was sent, unless ``wasRejected`` is true: in that case, the server rejected an earlier attempt.
    public struct AuthorizationFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The error thrown by the credential source or the signer.
        ///
        /// If this is a `DecodingError`, secrets in it are redacted.
        public let underlying: any Error

        /// Whether the server rejected the previous credential (401) and no new one could be obtained.
        public let wasRejected: Bool

        /// The response status of the app's call for the credential, such as a login; nil if there is no response.
        public var status: HTTPResponse.Status? {
            switch underlying {
            case APIError.authorization(let failure): failure.status
            case let error as APIError: error.status
            default: nil
            }
        }

        /// Returns the typed problem in the failed response to the app's call for the credential; see ``Problem``.
        ///
        /// - Parameter type: the type of the problem.
        /// - Returns: the problem; nil if the response contains no problem of that type.
        public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
            switch underlying {
            case APIError.authorization(let failure): failure.problem(as: type)
            case let error as APIError: error.problem(as: type)
            default: nil
            }
        }

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - underlying: the error thrown by the credential source or the signer.
        ///   - wasRejected: whether the server rejected the previous credential.
        public init(call: FailedCall, underlying: any Error, wasRejected: Bool = false) {
            self.call = call
            self.wasRejected = wasRejected
            // The description of a `DecodingError`, such as one for a token response, contains an excerpt of the
            // document.
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

        /// The sentence of the underlying error.
        ///
        /// If the error's status only means that the user must sign in, only a sentence from the server is used.
        var ownSentence: String? {
            switch underlying {
            // OAuth 2.0 servers report an expired grant with 400 (RFC 6749, section 5.2).
            case APIError.status(let failure)
            where [400, 401, 403].contains((failure.equivalentStatus ?? failure.status).code):
                failure.ownSentence.map { failure.call.redacted($0) }
            case let error as APIError: error.errorDescription
            case is CancellationError: ErrorSentence.cancelled.text
            // Thrown by credential sources that make their own requests.
            case is any URLLoadingError: ErrorSentence.cannotBeReached.text
            default: (underlying as? any LocalizedError)?.errorDescription
            }
        }

        private var reason: String { call.redacted("\(underlying)") }
    }
}

/// The error for a credential that cannot be sent.
///
/// It does not contain the credential, which is secret.
package enum InvalidCredential: Error, CustomStringConvertible {
    case controlCharacter
    case empty

    package var description: String {
        switch self {
        case .controlCharacter: "the credential contains a line break or another control character"
        case .empty:
            "the credential is empty; if its source has no credential, throw an error there, or declare"
                + " Authorization.none for calls without one"
        }
    }
}
