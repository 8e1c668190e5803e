extension LoopbackServer {
    /// The limits on the size of requests to a ``LoopbackServer``.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a head, and of the trailer fields: a larger head gets a 431, a longer request line a 414.
        public var headBytes: Int

        /// The most bytes of a body: a larger one gets a 413, at once if `Content-Length` says so.
        public var bodyBytes: Int

        /// Creates limits, by default 64 KiB for a head and 64 MiB for a body.
        public init(headBytes: Int = 64 << 10, bodyBytes: Int = 64 << 20) {
            self.headBytes = headBytes
            self.bodyBytes = bodyBytes
        }
    }
}
