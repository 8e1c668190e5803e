/// An interface to the network: it sends a request and returns the response.
///
/// A transport sends each request once: it follows no redirects, retries nothing, ignores the status and keeps no
/// cookies. It returns when the head of the response has arrived; the body follows as it is read. When the calling task
/// is cancelled, in any phase, it stops the transfer and throws ``TransportError/Kind/cancelled``.
///
/// Any HTTP client can be wrapped as a transport in a page of code; tests use a closure (see `WaybillTesting`).
public protocol Transport: Sendable {
    /// Sends a request and returns the response's head, with a body that is still arriving.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: what the call knows of the transfer beside the message; a transport may ignore all of it.
    /// - Returns: the response.
    /// - Throws: ``TransportError`` if no usable response has arrived.
    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse
}

extension Transport {
    /// Sends a request that belongs to no call, without options.
    ///
    /// - Parameter request: the request.
    /// - Returns: the response.
    /// - Throws: ``TransportError`` if no usable response has arrived.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await send(request, options: TransferOptions())
    }
}

/// A transport that passes each interim response (RFC 9110, section 15.2) on to the ``UploadPart`` of its request.
package protocol InterimResponseTransport: Transport {}
