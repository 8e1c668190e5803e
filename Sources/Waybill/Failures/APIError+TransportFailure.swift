extension APIError {
    /// A request to which no usable response came.
    public struct TransportFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The error of the transport.
        public let error: TransportError

        /// Whether a redirect led to the request that failed.
        package var isBehindRedirect = false

        /// Whether a redirect had led to another origin.
        package var hasLeftOrigin = false

        /// Creates a failure.
        public init(call: FailedCall, error: TransportError) {
            self.call = call
            self.error = error
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String { "\(call) got no response: \(call.redacted("\(error)"))\n\(call.detail)" }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: ["call": call, "error": call.secrets.map { error.redacted(by: $0.collected) } ?? error],
                displayStyle: .struct
            )
        }
    }
}
