import WaybillSystem

extension RefreshingToken {
    /// So many calls as may wait for a refresh do already.
    ///
    /// It is the ``APIError/AuthorizationFailure/underlying`` error of one more call.
    public struct TooManyWaiting: Error, Sendable, Hashable, CustomStringConvertible {
        /// The most calls that may wait.
        public let limit: Int

        /// Creates an error.
        public init(limit: Int) { self.limit = limit }

        /// The limit and the way out, in one line.
        public var description: String {
            "the refresh of its token has \(limit) calls waiting already; make fewer calls at once, or let more of them"
                + " wait: RefreshingToken(waiting:)"
        }
    }
}

extension RefreshingToken.TooManyWaiting: LocalizedError {
    /// A short sentence for a person.
    public var errorDescription: String? { ErrorSentence.tooManyRequests.text }
}
