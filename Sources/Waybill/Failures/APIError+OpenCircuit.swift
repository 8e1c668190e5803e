import WaybillSystem

extension APIError {
    /// A circuit that lets no call through, because the calls before it have failed; see ``APIError/RejectedFailure``.
    public struct OpenCircuit: Sendable {
        /// The origin of the calls.
        public let origin: HTTPOrigin

        /// The number of calls that have failed in a row.
        public let failures: Int

        /// The date of the last of these failures.
        public let since: Date

        /// The date at which a call is tried again.
        public let until: Date

        /// Whether the circuit is half-open: that call is in flight, and its outcome decides for the others.
        public let isHalfOpen: Bool

        /// The error of the last call that was sent.
        public let cause: APIError

        /// Creates a description.
        public init(
            origin: HTTPOrigin,
            failures: Int,
            since: Date,
            until: Date,
            isHalfOpen: Bool = false,
            cause: APIError
        ) {
            self.origin = origin
            self.failures = failures
            self.since = since
            self.until = until
            self.isHalfOpen = isHalfOpen
            self.cause = cause
        }
    }
}
