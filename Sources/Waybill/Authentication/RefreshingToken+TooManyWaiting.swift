extension RefreshingToken {
    /// So many calls as may wait for a refresh do already.
    ///
    /// It is what ``AuthorizationFailure/underlying`` says of one more.
    public struct TooManyWaiting: Error, Sendable, Hashable, CustomStringConvertible {
        /// How many may wait.
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
