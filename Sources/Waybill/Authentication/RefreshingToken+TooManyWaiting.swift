import WaybillSystem

extension RefreshingToken {
    /// The error for a call that would exceed the maximum number of calls waiting for a refresh.
    ///
    /// The call fails with an ``APIError/AuthorizationFailure``, which contains this error as
    /// ``APIError/AuthorizationFailure/underlying``.
    public struct TooManyWaiting: Error, Sendable, Hashable, CustomStringConvertible {
        /// The maximum number of waiting calls.
        public let limit: Int

        /// Creates an error.
        ///
        /// - Parameter limit: the maximum number of waiting calls.
        public init(limit: Int) { self.limit = limit }

        /// The limit, and how to avoid the error.
        public var description: String {
            "the refresh of its token already has \(limit) calls waiting; make fewer calls at once, or allow more to"
                + " wait: RefreshingToken(waiting:)"
        }
    }
}

extension RefreshingToken.TooManyWaiting: LocalizedError {
    /// A short message for the user.
    public var errorDescription: String? { ErrorSentence.tooManyRequests.text }
}
