import WaybillSystem

extension APIError {
    /// A failure to receive a usable response.
    public struct TransportFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The error thrown by the transport.
        public let error: TransportError

        /// Whether the failed request followed a redirect.
        package var isBehindRedirect = false

        /// Whether an earlier redirect led to a different origin.
        package var hasLeftOrigin = false

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - error: the error thrown by the transport.
        public init(call: FailedCall, error: TransportError) {
            self.call = call
            self.error = error
        }

        var apiError: APIError { .transport(self) }
        var outcome: String { "got no response: \(call.redacted("\(error)"))" }
        var properties: [Mirror.Child] { [("error", call.secrets.map { error.redacted(by: $0.collected) } ?? error)] }
        var brief: String { error.kind.rawValue }
        var sentence: ErrorSentence { .failed }
        var ownSentence: String? { error.errorDescription }
    }

    /// A call that exceeded its ``Timeout`` or an enclosing deadline.
    ///
    /// The server may have processed the request. If the time expired before the call began, nothing was sent.
    public struct TimeoutFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The time limit.
        public let limit: Duration

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - limit: the time limit.
        public init(call: FailedCall, limit: Duration) {
            self.call = call
            self.limit = limit
        }

        var apiError: APIError { .timeout(self) }
        var outcome: String { "timed out after \(limit.shown)" }
        var properties: [Mirror.Child] { [("limit", limit)] }
        var brief: String { "a timeout" }
        var sentence: ErrorSentence { .tooSlow }
    }

    /// A call whose task was cancelled.
    ///
    /// The server may have processed the request.
    public struct CancelledFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// Whether the call was sending a request or waiting for the server when it was cancelled.
        ///
        /// It is false if the call was waiting for something else, such as a credential or another server. It is also
        /// true if a `SendingCondition` withheld a later attempt, because an earlier one may have reached the server.
        package var awaitedServer = false

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameter call: the call that failed.
        public init(call: FailedCall) { self.call = call }

        var apiError: APIError { .cancelled(self) }
        var outcome: String { "was cancelled" }
        var brief: String { "a cancellation" }
        var sentence: ErrorSentence { .cancelled }
    }
}
