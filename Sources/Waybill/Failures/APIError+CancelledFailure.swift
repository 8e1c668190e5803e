extension APIError {
    /// A call whose task was cancelled.
    ///
    /// Whether the server acted on it is not known.
    public struct CancelledFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// Whether it waited for the server then, or sent a request; false if it waited on this side, for a credential
        /// perhaps, or for another server.
        var awaitedServer = false

        /// Creates a failure.
        public init(call: FailedCall) { self.call = call }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String { "\(call) was cancelled\n\(call.detail)" }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(self, children: ["call": call], displayStyle: .struct)
        }
    }
}
