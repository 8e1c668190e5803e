import WaybillSystem

extension APIError {
    /// A request to which no usable response came.
    public struct TransportFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The error of the transport.
        public let error: TransportError

        /// Whether a redirect led to the request that failed.
        package var isBehindRedirect = false

        /// Whether a redirect had led to another origin.
        package var hasLeftOrigin = false

        /// Creates a failure, for tests of what handles it.
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

    /// A call that took longer than its ``Timeout``, or the deadline around it, allows.
    ///
    /// Whether the server acted on it is not known, unless the time was over before it was made: then nothing was sent.
    public struct TimeoutFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The declared time.
        public let limit: Duration

        /// Creates a failure, for tests of what handles it.
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
    /// Whether the server acted on it is not known.
    public struct CancelledFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// Whether it waited for the server then, or sent a request; false if it waited on this side, for a credential
        /// perhaps, or for another server.
        var awaitedServer = false

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall) { self.call = call }

        var apiError: APIError { .cancelled(self) }
        var outcome: String { "was cancelled" }
        var brief: String { "a cancellation" }
        var sentence: ErrorSentence { .cancelled }
    }
}
