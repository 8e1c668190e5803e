/// A transport's measurements of a request and its response on the network.
///
/// A value is nil if the transport does not know it, or if the event has not happened: a reused connection is not
/// opened again. Times start when the request is passed to the network.
///
/// `CurlTransport` measures everything. `URLSessionTransport` does so on Apple's platforms, when the body has been read
/// to its end, and measures nothing on Linux.
public struct TransferMetrics: Sendable, Hashable {
    /// The version of HTTP in the form of a status line: `HTTP/1.1`, `HTTP/2`.
    public var protocolVersion: String?

    /// Whether the request used a connection that an earlier one had opened.
    public var isConnectionReused: Bool?

    /// The time until the host's name was resolved.
    public var nameLookup: Duration?

    /// The time until the connection was open, before TLS.
    public var connect: Duration?

    /// The time until TLS was established.
    public var secure: Duration?

    /// The time until the first byte of the response.
    public var firstByte: Duration?

    /// The time until the end of the response.
    public var total: Duration?

    /// The bytes of the request's body that were sent.
    public var bytesSent: Int?

    /// The bytes of the response's body as they arrived, with content codings.
    public var bytesReceived: Int?

    /// Creates metrics without values.
    public init() {}
}
