import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport based on Foundation's `URLSession`: available on every platform, and the default on Apple platforms.
///
/// It behaves identically on Apple platforms and on Linux, except where the two implementations of `URLSession` differ:
///
/// - **Header fields.** `URLSession` keeps them in a dictionary. The fields of a request are sent in no particular
///   order and with `URLSession`'s capitalization; fields with the same name are joined by a comma (`Cookie` by a
///   semicolon). The fields of a response are sorted by name; fields with the same name are joined, except
///   `Set-Cookie`. If a request has no `Accept`, `Accept-Language` or `User-Agent`, `URLSession` adds its own.
/// - **Bodies.** On Apple platforms, the body of a request is read as it is sent, and a task is suspended while 512 KiB
///   of its response are unread, or while a `TransferControl` pauses it. On Linux, `URLSession` supports neither: a
///   body is collected in memory before it is sent, an unread response is buffered without a limit, and a
///   `TransferControl` only delays a request that has not been sent. A body without a `Content-Type` is sent as
///   `application/octet-stream`, because `URLSession` would declare it as a form. Releasing a response before its body
///   is read ends the transfer.
/// - **Compression.** `URLSession` decodes content codings itself; the response then has neither `Content-Encoding` nor
///   `Content-Length`, which describe the encoded bytes. On Linux, it accepts a truncated compressed body as complete,
///   so `Accept-Encoding: identity` is sent there unless the request has an `Accept-Encoding`.
/// - **Concurrency.** At most `httpMaximumConnectionsPerHost` requests of a configuration are in flight to one origin;
///   further requests wait in order. The wait does not count toward the idle timeout. On Linux, a request with a body
///   of more than 16 KiB gets a separate connection: if a reused connection breaks, `URLSession` sends the rest of the
///   body over a new one, as if it were the whole body.
/// - **Reason phrases** are not available.
///
/// `URLSession` on Linux has limitations that the transport cannot work around:
///
/// - The process crashes if a server closes the connection within the header fields, or sends trailer fields after a
///   chunked body.
/// - URLs with IPv6 addresses are rejected.
/// - Responses with header fields that are not valid UTF-8 fail.
/// - The body of a 301, 302, 303, 305, 307 or 308 without a `Location` is lost; with one, it arrives together with the
///   head.
/// - A request without a body is resent automatically if the server closes a reused connection without a response.
/// - A thread of Foundation keeps a core busy while a response is awaited over a new connection.
///
/// For long polls and event streams on Linux, use the transport based on libcurl.
///
/// A URL with a user or a password, a body in a `GET` or `HEAD`, and framing fields that contradict the body are
/// rejected as `TransportError.Kind.unsupportedRequest` before anything is sent.
///
/// With a background configuration, every request fails with `TransportError.Kind.unavailable`: background sessions
/// only upload and download files.
public struct URLSessionTransport: Transport {
    private let session: Result<TransferSession, TransportError>

    /// Creates a transport with a separate session.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied. Its timeouts are ignored: use `idleTimeout`
    ///     instead of the request timeout, and a client's `Timeout` instead of the resource timeout.
    ///   - idleTimeout: the maximum silence on the connection, including the time for connecting, before the request
    ///     fails with `TransportError.Kind.timedOut`; nil for no limit.
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
    /// It allows 128 requests in flight to one origin. Each access returns a new object, which can be modified.
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

    /// Sends a request and returns the response head, with a body that is still arriving.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of the transfer.
    /// - Returns: the response.
    /// - Throws: `TransportError`, whose message names the host but never the path or the query.
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
    /// Returns a transport with a separate `URLSession`.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration, which is copied; its timeouts are ignored.
    ///   - idleTimeout: the maximum silence on the connection before a request fails; nil for no limit.
    /// - Returns: the transport.
    public static func urlSession(
        _ configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        idleTimeout: Duration? = .seconds(60)
    ) -> URLSessionTransport {
        URLSessionTransport(configuration: configuration, idleTimeout: idleTimeout)
    }
}

/// The settings of a transport beyond its session's configuration.
struct URLSessionSettings: Sendable {
    /// The maximum silence on a connection; nil for no limit.
    var idleTimeout: Duration?

    #if !canImport(FoundationNetworking)
        /// The handler of TLS challenges; nil leaves them to the system.
        var challengeHandler: URLSessionTransport.ChallengeHandler?
    #endif
}
