/// How large a request a ``LoopbackServer`` accepts.
public struct RequestLimits: Sendable, Hashable {
    /// The most bytes of a head, and of the trailer fields: more get a 431, and a request line alone a 414.
    public var headBytes: Int

    /// The most bytes of a body: more get a 413, which comes at once where `Content-Length` says so.
    public var bodyBytes: Int

    /// Creates limits: by default, 64 KiB for a head and 64 MiB for a body.
    public init(headBytes: Int = 64 << 10, bodyBytes: Int = 64 << 20) {
        self.headBytes = headBytes
        self.bodyBytes = bodyBytes
    }
}
