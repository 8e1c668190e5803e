import WaybillSystem

extension APIError {
    /// A failure to build a request from its declaration.
    ///
    /// Nothing was sent.
    public struct RequestFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The declaration errors, one per clause.
        public let declarationErrors: [Scope.DeclarationError]

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - declarationErrors: the declaration errors.
        public init(call: FailedCall, declarationErrors: [Scope.DeclarationError]) {
            self.call = call
            self.declarationErrors = declarationErrors
        }

        /// Creates a failure with a single declaration error.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - clause: the clause as written in a declaration.
        ///   - value: the clause's argument, without secrets.
        ///   - reason: the reason and instructions to fix it.
        package init(_ call: FailedCall, clause: String, value: String = "", because reason: String) {
            self.init(
                call: call,
                declarationErrors: [Scope.DeclarationError(clause: clause, value: value, reason: reason)]
            )
        }

        var apiError: APIError { .request(self) }
        var outcome: String { "could not be built; nothing was sent" }
        var details: [String] { declarationErrors.map { "\($0)" } }
        var properties: [Mirror.Child] { [("declarationErrors", declarationErrors)] }
        var brief: String { "no request" }
        var sentence: ErrorSentence { .notMade }

        /// The call and the declaration errors.
        ///
        /// Because nothing was sent, there are no other details.
        public var description: String {
            (["\(call) \(outcome)"] + details.map { "  \($0)" }).joined(separator: "\n")
        }
    }

    /// An error with which a middleware stopped the call.
    public struct MiddlewareFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The error thrown by the middleware.
        ///
        /// If this is a `DecodingError`, secrets in it are redacted.
        public let underlying: any Error

        /// The status of the response that led to the error; nil if there is no response.
        public let status: HTTPResponse.Status?

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - underlying: the error thrown by the middleware.
        ///   - status: the status of the response that led to the error; nil if there is no response.
        public init(call: FailedCall, underlying: any Error, status: HTTPResponse.Status? = nil) {
            self.call = call
            self.status = status
            // The description of a `DecodingError`, such as one for a token response, contains an excerpt of the
            // document.
            self.underlying = call.redacted(underlying)
        }

        /// Whether the resource does not exist: 404 or 410.
        public var isNotFound: Bool { status == 404 || status == 410 }

        var apiError: APIError { .middleware(self) }
        var outcome: String {
            if underlying is any UnsentCause { return "was not sent: \(reason)" }
            return "was stopped by a middleware\(status.map { " after \($0)" } ?? ""): \(reason)"
        }
        var properties: [Mirror.Child] { [("underlying", reason)] + (status.map { [("status", $0)] } ?? []) }
        var brief: String { (underlying as? any UnsentCause)?.brief ?? "a middleware that stopped the call" }
        var sentence: ErrorSentence { .failed }
        var ownSentence: String? { (underlying as? any LocalizedError)?.errorDescription }

        private var reason: String { call.redacted("\(underlying)") }
    }
}

/// An internal reason for not sending a call.
///
/// Error texts do not attribute it to a middleware.
package protocol UnsentCause: Error {
    /// A short phrase for the cause, used when a later failure lists earlier attempts.
    var brief: String { get }
}
