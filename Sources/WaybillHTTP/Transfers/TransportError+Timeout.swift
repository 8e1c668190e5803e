extension TransportError {
    /// The time limits that a transport can have.
    public enum Timeout: String, Sendable, Hashable, CaseIterable {
        /// Until a connection is open: resolving the host, connecting and TLS.
        case connect = "connecting"
        /// From the last byte of the request to the first byte of the response.
        case firstByte = "the first byte of the response"
        /// Between two pieces of the request or of the response.
        case idle = "silence"
        /// From the start of the call to its last byte, including the wait for a connection.
        case total = "the whole call"
    }
}
