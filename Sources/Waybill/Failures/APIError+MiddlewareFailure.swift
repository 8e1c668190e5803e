extension APIError {
    /// A call that a middleware stopped with an error of its own.
    public struct MiddlewareFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The reason; in a `DecodingError` the secrets are redacted.
        public let underlying: any Error

        /// Creates a failure.
        public init(call: FailedCall, underlying: any Error) {
            self.call = call
            // The text of another decoding, of a token perhaps, shows an excerpt.
            self.underlying = call.redacted(underlying)
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String { "\(call) was stopped by a middleware: \(reason)\n\(call.detail)" }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(self, children: ["call": call, "underlying": reason], displayStyle: .struct)
        }

        private var reason: String { call.redacted("\(underlying)") }
    }
}
