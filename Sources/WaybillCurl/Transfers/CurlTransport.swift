#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The default transport on Linux, based on the system's libcurl.
    ///
    /// ```swift
    /// var configuration = CurlTransport.Configuration()
    /// configuration.timeouts.connect = .seconds(3)
    /// let client = Client(url, transport: try CurlTransport(configuration))
    /// ```
    ///
    /// `libcurl.so.4`, version 7.66 or later, is loaded when the first transport is created; a client's default
    /// transport is created for its first request. A few threads serve all transfers of a transport and its copies (see
    /// ``Configuration/loops``). By default, a transport uses HTTP/2 over TLS and HTTP/1.1 otherwise. It reuses idle
    /// connections, and closes all connections when its last copy is released.
    ///
    /// - **Responses** arrive as they are read: the header fields in their original order and capitalization, the body
    ///   in pieces. If a caller stops reading, the transport stops receiving (see ``Limits/bufferedBytes``). Releasing
    ///   a response before its body is read ends the transfer. Trailer fields are in `HTTPBody.trailerFields`.
    /// - **Requests** preserve the order of their fields. `Host` comes first; `User-Agent` and `Accept-Encoding` are
    ///   added if they are missing. A body is sent as it is produced, in chunks if its length is unknown.
    /// - **Content codings** (gzip, deflate, br, zstd) are offered and decoded if the system has their libraries; the
    ///   response then has neither `Content-Encoding` nor `Content-Length`, which describe the encoded bytes. A request
    ///   with a `Range` offers none, because a range of encoded bytes cannot be decoded.
    /// - **Closed persistent connections**: a request that may have reached the server is resent automatically only if
    ///   its method is idempotent (RFC 9110, section 9.2.2) and its body can be read again. Any other request fails
    ///   with `TransportError.Kind.connectionLost`.
    /// - **URLs** have the scheme `http` or `https`, or `http+unix` for a Unix domain socket, with the socket's path as
    ///   the host: `http+unix://%2Fvar%2Frun%2Fdocker.sock/version`.
    public struct CurlTransport: Transport {
        private let session: CurlSession

        /// Creates a transport with separate threads and connections.
        ///
        /// - Parameter configuration: the configuration.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if libcurl is missing or too old, or if
        ///   a setting is invalid or not supported.
        public init(_ configuration: Configuration = Configuration()) throws(TransportError) {
            if let failure = CurlLibrary.failure { throw CurlLibrary.unavailable(failure) }
            try CurlSecurity.check(configuration)
            session = try CurlSession(configuration)
        }

        /// Creates a transport that uses an existing session.
        init(_ session: CurlSession) { self.session = session }

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
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            let checked = try CurlRequest(request, options)
            let transfer = CurlTransfer(checked, in: session, counter: TransferControl.Counter(for: request, options))
            session.start(transfer)
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
        /// Returns the response, with its body in memory if it has arrived completely; otherwise the body is read as it
        /// arrives.
        fileprivate func response(
            _ head: CurlHead,
            to request: HTTPRequest
        ) throws(TransportError) -> HTTPResponse {
            var fields = head.fields
            let hasNoBody = request.method == .head || head.status == 204 || head.status == 304
            let length = hasNoBody ? .known(0) : BodyLength(fields)
            var codings: [ContentCoding] = []
            if !hasNoBody, let value = fields[.contentEncoding] {
                // The caller may be able to decode an unknown coding.
                codings = try ContentCoding.codings(of: value) ?? []
            }
            if !codings.isEmpty {
                // These fields describe the encoded bytes.
                fields.removeAll(named: .contentEncoding)
                fields.removeAll(named: .contentLength)
            }
            let body = body(length: length, codings: codings)
            // Capturing the transfer would keep the transport's threads alive as long as the response.
            if let metrics { self.request.options.report?.measure { metrics.withLock { $0 } } }
            if !codings.isEmpty { self.request.options.report?.isDecoded = true }
            return HTTPResponse(status: head.status, headerFields: fields, body: body, url: request.url)
        }

        private func body(length: BodyLength, codings: [ContentCoding]) -> HTTPBody {
            guard let bytes = wholeBody() else {
                let arriving = ArrivingBody(self)
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
            // Reading this body throws the error of a damaged body, and returns a large one in pieces.
            let decoded = DecodedBody(HTTPBody(bytes), codings: codings, limit: limits.decodedBodyBytes)
            return HTTPBody(decoded) { trailers }
        }

        /// The maximum size of a body that is decoded before it is read, in bytes.
        private static var eagerlyDecodedBytes: Int { 256 * 1024 }
    }

    extension CurlTransport: InterimResponseTransport {}

    extension Transport where Self == CurlTransport {
        /// Returns a transport based on the system's libcurl, with separate threads and connections.
        ///
        /// - Parameter configuration: the configuration.
        /// - Returns: the transport.
        /// - Throws: the errors of ``CurlTransport/init(_:)``.
        public static func curl(
            _ configuration: CurlTransport.Configuration = .init()
        ) throws(TransportError) -> CurlTransport {
            try CurlTransport(configuration)
        }
    }
#endif
