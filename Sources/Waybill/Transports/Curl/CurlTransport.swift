#if os(Linux)
    import Foundation

    /// The default transport on Linux: the libcurl of the system, without a package.
    ///
    /// ```swift
    /// var configuration = CurlTransport.Configuration()
    /// configuration.timeouts.connect = .seconds(3)
    /// let client = Client(url, transport: try CurlTransport(configuration))
    /// ```
    ///
    /// `libcurl.so.4` is loaded when the first transport is made; it has to be 7.66 or newer, and is there wherever
    /// Foundation's networking is. One thread serves all transfers of a transport and of its copies. It keeps
    /// connections open, speaks HTTP/1.1 and over TLS HTTP/2, and closes its connections when its last copy goes.
    ///
    /// - **Responses** arrive as they are read: their header fields in the order and spelling in which they came, their
    ///   body in pieces. Where a caller does not read, the server is held back (see ``Limits/bufferedBytes``).
    ///   Dropping a response without reading its body ends the transfer. Trailer fields are the body's
    ///   ``HTTPBody/trailerFields``.
    /// - **Requests** go out with their fields in their order. `Host` comes first; `User-Agent` and `Accept-Encoding`
    ///   are added where they are missing. A body is sent while it is produced, in chunks where its length is not
    ///   known.
    /// - **Content codings** that the system has a library for (gzip, deflate, br, zstd) are offered and undone; the
    ///   response then has neither `Content-Encoding` nor `Content-Length`, which describe bytes that nobody sees. For
    ///   a request with a `Range` none is offered: a part of coded bytes cannot be undone.
    /// - **A kept connection that the server has closed**: a request that may have reached the server is sent again by
    ///   itself only where its method is idempotent (RFC 9110, section 9.2.2) and its body can be read again.
    ///   Any other fails with ``TransportError/Kind/connectionLost``.
    /// - **URLs**: `http`, `https`, and `http+unix` for a socket of this machine, whose path is the host:
    ///   `http+unix://%2Fvar%2Frun%2Fdocker.sock/version`.
    public struct CurlTransport: Transport {
        private let session: CurlSession

        /// Creates a transport with a thread and connections of its own.
        ///
        /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unavailable`` where there is no libcurl, one that
        ///   is too old, or something in the configuration that cannot be used.
        public init(_ configuration: Configuration = Configuration()) throws(TransportError) {
            if let failure = CurlLibrary.failure { throw TransportError(.unavailable, failure) }
            try CurlSecurity.check(configuration)
            session = try CurlSession(configuration)
        }

        /// Sends a request and returns the response's head, with a body that is still arriving.
        ///
        /// - Throws: ``TransportError`` whose message names the host and never the path or the query.
        public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            let transfer = CurlTransfer(try CurlRequest(request), in: session)
            session.loop.post(.start(transfer))
            let lines = try await transfer.head()
            do throws(TransportError) {
                let head = try CurlHead(lines, host: transfer.host)
                return try transfer.response(head, to: request)
            } catch {
                transfer.stop(error)
                throw error
            }
        }
    }

    extension CurlTransfer {
        /// The response with its body: in memory where all of it is there, else one that is read while it arrives.
        fileprivate func response(
            _ head: CurlHead,
            to request: HTTPRequest
        ) throws(TransportError) -> HTTPResponse {
            var fields = head.fields
            let hasNoBody = request.method == .head || head.status == 204 || head.status == 304
            let length = hasNoBody ? .known(0) : BodyLength(fields)
            var codings: [ContentCoding] = []
            if !hasNoBody, let value = fields[.contentEncoding] {
                // A coding that is not known is the caller's to undo.
                codings = try ContentCoding.codings(of: value) ?? []
            }
            if !codings.isEmpty {
                // They describe bytes that nobody sees.
                fields.removeAll(named: .contentEncoding)
                fields.removeAll(named: .contentLength)
            }
            let body = body(length: length, codings: codings)
            // The transfer itself would keep the transport's thread for as long as the response is kept.
            var measured: (@Sendable () -> TransferMetrics?)?
            if let metrics { measured = { metrics.withLock { $0 } } }
            return HTTPResponse(
                status: head.status,
                headerFields: fields,
                body: body,
                url: request.url.value,
                metrics: measured
            )
        }

        private func body(length: BodyLength, codings: [ContentCoding]) -> HTTPBody {
            guard let bytes = wholeBody() else {
                let arriving = CurlBody(self)
                let trailers: @Sendable () -> HTTPFields = { [self] in trailerFields }
                guard codings.isEmpty else {
                    let decoded = DecodedBody(arriving, codings: codings, limit: limits.decodedBodyBytes)
                    return HTTPBody(decoded, trailerFields: trailers)
                }
                let known: Int? = if case .known(let count) = length { count } else { nil }
                return HTTPBody(arriving, length: known, trailerFields: trailers)
            }
            let trailers = trailerFields
            guard !codings.isEmpty else { return HTTPBody(bytes, trailerFields: trailers) }
            let limit = min(limits.decodedBodyBytes, Self.eagerlyDecodedBytes)
            if let decoded = try? ContentDecoder.decode(whole: bytes, codings: codings, limit: limit) {
                return HTTPBody(decoded, trailerFields: trailers)
            }
            // What is damaged or large is told, or comes, where the body is read.
            let decoded = DecodedBody(HTTPBody(bytes), codings: codings, limit: limits.decodedBodyBytes)
            return HTTPBody(decoded) { trailers }
        }

        /// The most bytes of a body that are in memory before anybody reads it.
        private static var eagerlyDecodedBytes: Int { 256 * 1024 }
    }

    extension Transport where Self == CurlTransport {
        /// A transport over the libcurl of the system, with a thread and connections of its own.
        ///
        /// - Throws: as ``CurlTransport/init(_:)``.
        public static func curl(
            _ configuration: CurlTransport.Configuration = .init()
        ) throws(TransportError) -> CurlTransport {
            try CurlTransport(configuration)
        }
    }
#endif
