import WaybillSystem

extension APIError {
    /// A request that could not be built from its declaration.
    ///
    /// Nothing was sent.
    public struct RequestFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The declaration errors, clause by clause.
        public let declarationErrors: [DeclarationError]

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, declarationErrors: [DeclarationError]) {
            self.call = call
            self.declarationErrors = declarationErrors
        }

        /// Creates the failure of one clause.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - clause: the clause as it is written in a declaration.
        ///   - value: the argument of the clause, without secrets.
        ///   - reason: the reason, and the way out.
        init(_ call: FailedCall, clause: String, value: String = "", because reason: String) {
            self.init(
                call: call,
                declarationErrors: [DeclarationError(clause: clause, value: value, reason: reason)]
            )
        }

        var apiError: APIError { .request(self) }
        var outcome: String { "could not be built; nothing was sent" }
        var details: [String] { declarationErrors.map { "\($0)" } }
        var properties: [Mirror.Child] { [("declarationErrors", declarationErrors)] }
        var brief: String { "no request" }
        var sentence: ErrorSentence { .notMade }

        /// The errors alone: nothing was sent, so there is nothing to tell of the call.
        public var description: String {
            (["\(call) \(outcome)"] + details.map { "  \($0)" }).joined(separator: "\n")
        }
    }

    /// A call that a middleware stopped with an error of its own.
    public struct MiddlewareFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The reason; in a `DecodingError` the secrets are redacted.
        public let underlying: any Error

        /// The status of the response behind the error; nil if there was none.
        public let status: HTTPResponse.Status?

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, underlying: any Error, status: HTTPResponse.Status? = nil) {
            self.call = call
            self.status = status
            // The text of another decoding, of a token perhaps, shows an excerpt.
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

/// A cause of Waybill's own for which a call is not sent: texts do not speak of a middleware.
protocol UnsentCause: Error {
    /// The cause in a few words, for a text about the last of several attempts.
    var brief: String { get }
}
