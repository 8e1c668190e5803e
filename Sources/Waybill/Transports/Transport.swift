/// Carries a request to a server and brings the response back: the seam between Waybill and the network.
///
/// A transport sends what it is given, once: it follows no redirect, repeats nothing, reads no status and keeps no
/// cookies. It returns as soon as the response's head is there; the body follows as it is read. When the calling task
/// is cancelled, in whatever phase, it stops the transfer and throws ``TransportError/Kind/cancelled``.
///
/// Any HTTP client makes a transport in a page of code; a test's is a closure (see `WaybillTesting`).
public protocol Transport: Sendable {
    /// Sends a request and returns the response's head, with a body that is still arriving.
    ///
    /// - Throws: ``TransportError`` when no usable response came.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
