/// What a transport knows of how a request and its response went over the network.
///
/// Everything is nil where the transport does not know it, or where it has not happened: a connection that was kept
/// open needs no connecting. Times are counted from when the request was given to the network.
///
/// `CurlTransport` knows all of it. `URLSessionTransport` knows it on Apple's platforms, when the body has come to its
/// end, and nothing of it on Linux.
public struct TransferMetrics: Sendable, Hashable {
    /// The version of HTTP, as a status line has it: `HTTP/1.1`, `HTTP/2`.
    public var protocolVersion: String?

    /// Whether the request went over a connection that an earlier one had opened.
    public var isConnectionReused: Bool?

    /// The time until the host's name was looked up.
    public var nameLookup: Duration?

    /// The time until the connection was there, before TLS.
    public var connect: Duration?

    /// The time until the connection was secured by TLS.
    public var secure: Duration?

    /// The time until the first byte of the response.
    public var firstByte: Duration?

    /// The time until the response's end.
    public var total: Duration?

    /// The bytes of the request's body that were sent.
    public var bytesSent: Int?

    /// The bytes of the response's body as they came, content codings not undone.
    public var bytesReceived: Int?

    /// Creates metrics of which nothing is known.
    public init() {}
}
