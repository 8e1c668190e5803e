import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over Foundation's `URLSession`, which exists on every platform: the default on Apple's.
///
/// It behaves alike on Apple's platforms and on Linux as far as the two implementations of `URLSession` allow. They
/// decide on:
///
/// - **Header fields.** `URLSession` keeps them in a dictionary. Those of a request are sent in no particular order,
///   several with one name joined by a comma (`Cookie` by a semicolon), in the spelling of `URLSession`. Those of a
///   response are delivered in the order of their names, several with one name joined. If a request has none,
///   `URLSession` adds an `Accept`, an `Accept-Language` and a `User-Agent` of its own.
/// - **Bodies.** On Apple's platforms the body of a request is read while it is sent, and a task is suspended while 512
///   KiB of its response are unread, or while a `TransferControl` pauses it. On Linux `URLSession` can do neither: a
///   body is collected in memory before it is sent, an unread response is buffered without a limit, and a
///   `TransferControl` only delays a request that has not been sent. A body without a `Content-Type` is sent as
///   `application/octet-stream`, because `URLSession` would declare a form. A response that is dropped before its body
///   is read ends the transfer.
/// - **Compression.** `URLSession` undoes a content coding by itself; the response then has neither the
///   `Content-Encoding` nor the `Content-Length`, which describe the encoded bytes. On Linux it accepts a truncated
///   compressed body as complete, so `Accept-Encoding: identity` is sent there, unless the request has an
///   `Accept-Encoding` of its own.
/// - **Concurrency.** At most `httpMaximumConnectionsPerHost` requests of a configuration are in flight to one origin;
///   further ones wait for their turn, in order. The wait does not count against the idle timeout. On Linux a body of
///   more than 16 KiB gets a connection of its own: if a connection that was used before breaks, `URLSession` sends the
///   rest of the body over another one, as if it were the whole.
/// - **Reason phrases** are not known.
///
/// `URLSession` on Linux has limits that cannot be avoided: the process ends when a server closes the connection in the
/// middle of the header fields or sends trailer fields after a chunked body; a URL whose host is an IPv6 literal is
/// rejected; a response with a header field that is not UTF-8 fails; the body of a 301, 302, 303, 305, 307 or 308
/// without a `Location` is lost, and with one it arrives together with the head; and a request without a body is sent
/// again automatically when the server closes a connection that an earlier request had opened, before it responds; and
/// Foundation's thread uses a core while a response is awaited over a new connection. For long polls and event streams
/// on Linux, use the transport over libcurl.
///
/// A URL with a user and a password, a body in a `GET` or `HEAD`, and framing fields that contradict the body are
/// rejected as `TransportError.Kind.unsupportedRequest` before anything is sent.
///
/// With a background configuration every request fails with `TransportError.Kind.unavailable`: background sessions only
/// upload and download files.
public struct URLSessionTransport: Transport {
    private let session: Result<TransferSession, TransportError>

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied. Its timeouts are not used: `idleTimeout`
    ///     replaces the one for a request, a client's `Timeout` the one for a resource.
    ///   - idleTimeout: the maximum silence of the connection, including the time to connect, before the request fails
    ///     with `TransportError.Kind.timedOut`; nil stands for no limit.
    public init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        idleTimeout: Duration? = .seconds(60)
    ) {
        self.init(configuration: configuration, settings: URLSessionSettings(idleTimeout: idleTimeout))
    }

    init(configuration: URLSessionConfiguration, settings: URLSessionSettings) {
        session = Result { () throws(TransportError) in
            try TransferSession(configuration: configuration, settings: settings)
        }
    }

    /// A configuration that stores nothing: no cookies, no cache, no credentials.
    ///
    /// It allows 128 requests in flight to one origin. Each access returns a new object, which may be changed.
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
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer.
    /// - Returns: the response.
    /// - Throws: `TransportError` whose message names the host and never the path or the query.
    public func send(
        _ request: HTTPRequest,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPResponse {
        let session = try session.get()
        let body = try await request.outgoingBody()
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        let transfer = try Transfer(request, options, body: body, in: session)
        session.submit(transfer)
        let head = try await transfer.head()
        if let metrics = transfer.metrics { options.report?.measure { metrics.withLock { $0 } } }
        if head.isDecoded { options.report?.isDecoded = true }
        return HTTPResponse(
            status: head.status,
            headerFields: head.headerFields,
            body: transfer.body(of: head),
            url: head.url
        )
    }
}

extension Transport where Self == URLSessionTransport {
    /// Returns a transport with a `URLSession` of its own.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied; its timeouts are not used.
    ///   - idleTimeout: the maximum silence of the connection before a request fails; nil stands for no limit.
    /// - Returns: the transport.
    public static func urlSession(
        _ configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        idleTimeout: Duration? = .seconds(60)
    ) -> URLSessionTransport {
        URLSessionTransport(configuration: configuration, idleTimeout: idleTimeout)
    }
}

/// The settings of a transport in addition to its session's configuration.
struct URLSessionSettings: Sendable {
    /// The maximum silence of a connection; nil for no limit.
    var idleTimeout: Duration?

    #if !canImport(FoundationNetworking)
        /// The handler of TLS challenges; nil leaves them to the system.
        var challengeHandler: URLSessionTransport.ChallengeHandler?
    #endif
}
