import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Foundation's `URLSession`, which is there on every platform: the default transport of Apple's.
///
/// It behaves alike on Apple's platforms and on Linux as far as the two implementations of `URLSession` let it. What
/// they decide:
///
/// - **Header fields.** `URLSession` keeps them in a dictionary. Those of a request go out in no particular order,
///   several of one name joined by a comma (`Cookie` by a semicolon), and spelled as `URLSession` likes. Those of a
///   response are delivered in the order of their names, several of one name joined. Where a request has none,
///   `URLSession` adds an `Accept`, an `Accept-Language` and a `User-Agent` of its own.
/// - **Bodies.** The body of a request is in memory before anything is sent: one that is streamed is collected first.
///   One without a `Content-Type` is sent as `application/octet-stream`, since `URLSession` would call it a form.
///   The body of a response is buffered without bound while it is not read: `URLSession` offers no back-pressure that
///   works everywhere. Dropping the response without reading its body ends the transfer.
/// - **Compression.** `URLSession` undoes a content coding by itself; the response then has neither the
///   `Content-Encoding` nor the `Content-Length`, which describe bytes that nobody sees. On Linux it takes a compressed
///   body that ends too early for a complete one, so there `Accept-Encoding: identity` is sent, unless the request has
///   an `Accept-Encoding` of its own.
/// - **Concurrency.** At most `httpMaximumConnectionsPerHost` requests of a configuration are on their way to one
///   origin; further ones wait for their turn, in order. Waiting does not count against the idle timeout.
/// - **Reason phrases** are not known.
///
/// `URLSession` on Linux has limits that nothing here can mend: the process ends when a server closes the connection in
/// the middle of the header fields or sends trailer fields behind a chunked body; a URL whose host is an IPv6 literal
/// is refused; a response with a header field that is not UTF-8 fails; the body of a 301, 302, 303, 305, 307 or 308
/// without a `Location` is lost, with one it comes together with the head; and a request without a body is sent again
/// by itself when the server closes the connection, which an earlier request had opened, before it answers.
///
/// A URL with a user and a password in it, a body in a `GET` or `HEAD`, and framing fields that contradict the body are
/// refused as ``TransportError/Kind/unsupportedRequest`` before anything is sent.
public struct URLSessionTransport: Transport {
    private let session: TransferSession

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied. Its timeouts are not used: `idleTimeout` stands
    ///     for the one for a request, a client's `Timeout` for the one for a resource.
    ///   - idleTimeout: how long the connection may be silent, connecting included, before the request fails with
    ///     ``TransportError/Kind/timedOut``; nil stands for any time.
    public init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        idleTimeout: Duration? = .seconds(60)
    ) {
        session = TransferSession(configuration: configuration, idleTimeout: idleTimeout)
    }

    /// A configuration that keeps nothing: no cookies, no cache, no credentials.
    ///
    /// It lets 128 requests be on their way to one origin at a time. Each call returns a new object, which may be
    /// changed.
    public static var defaultConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 128
        return configuration
    }

    /// Sends a request and returns the response's head, with a body that is still arriving.
    ///
    /// - Throws: ``TransportError`` whose message names the host and never the path or the query.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let body = try await request.collectedBody()
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        let transfer = try Transfer(request, body: body, in: session)
        session.submit(transfer)
        let head = try await transfer.head()
        var measured: (@Sendable () -> TransferMetrics?)?
        if let metrics = transfer.metrics { measured = { metrics.withLock { $0 } } }
        return HTTPResponse(
            status: head.status,
            headerFields: head.headerFields,
            body: transfer.body(of: head),
            url: head.url,
            metrics: measured
        )
    }
}

extension Transport where Self == URLSessionTransport {
    /// A transport with a `URLSession` of its own.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied; its timeouts are not used.
    ///   - idleTimeout: how long the connection may be silent before a request fails; nil stands for any time.
    public static func urlSession(
        _ configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        idleTimeout: Duration? = .seconds(60)
    ) -> URLSessionTransport {
        URLSessionTransport(configuration: configuration, idleTimeout: idleTimeout)
    }
}
