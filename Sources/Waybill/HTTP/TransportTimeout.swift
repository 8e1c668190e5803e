/// The limits of time that a transport can have.
public enum TransportTimeout: String, Sendable, Hashable, CaseIterable {
    /// Until there is a connection: looking up the host, connecting and TLS.
    case connect = "connecting"
    /// From the last byte of the request to the first of the response.
    case firstByte = "the first byte of the response"
    /// Between two pieces of the request or of the response.
    case idle = "silence"
    /// From the start of the call to its last byte, waiting for a connection included.
    case total = "the whole call"
}
