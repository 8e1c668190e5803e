/// A type that sends requests over the network.
///
/// A transport sends each request once: it does not follow redirects, retry, interpret the status or store cookies. It
/// returns when the head of the response has arrived; the body follows as it is read. If the calling task is cancelled
/// in any phase, the transport stops the transfer and throws ``TransportError/Kind/cancelled``.
///
/// Wrapping another HTTP client as a transport takes about a page of code. In tests, a closure can be a transport (see
/// `WaybillTesting`).
public protocol Transport: Sendable {
    /// Sends a request and returns the response head, with a body that is still arriving.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: additional information from the call, all of which a transport can ignore.
    /// - Returns: the response.
    /// - Throws: ``TransportError`` if no usable response arrives.
    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse
}

extension Transport {
    /// Sends a request outside a call without options.
    ///
    /// - Parameter request: the request.
    /// - Returns: the response.
    /// - Throws: ``TransportError`` if no usable response arrives.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await send(request, options: TransferOptions())
    }
}

/// A transport that passes interim responses (RFC 9110, section 15.2) to the ``UploadPart`` of their request.
package protocol InterimResponseTransport: Transport {}
