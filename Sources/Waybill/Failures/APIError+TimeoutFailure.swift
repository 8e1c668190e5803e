extension APIError {
    /// A call that took longer than its ``Timeout``, or the deadline around it, allows.
    ///
    /// Whether the server acted on it is not known, unless the time was over before it was made: then nothing was sent.
    public struct TimeoutFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The declared time.
        public let limit: Duration

        /// Creates a failure.
        public init(call: FailedCall, limit: Duration) {
            self.call = call
            self.limit = limit
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String { "\(call) timed out after \(limit.shown)\n\(call.detail)" }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(self, children: ["call": call, "limit": limit], displayStyle: .struct)
        }
    }
}
