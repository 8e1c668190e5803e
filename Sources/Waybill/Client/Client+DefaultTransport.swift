#if os(Linux)
    @_exported import WaybillCurl
#else
    @_exported import WaybillURLSession
#endif

#if canImport(Musl)
    #warning("A static program cannot load libcurl: give each Client a transport, such as URLSessionTransport().")
#endif

extension Client {
    /// The transport shared by all clients created without one.
    ///
    /// On Linux, it is a `CurlTransport`, which loads libcurl when the first request is sent. On Apple platforms and
    /// Android, it is a `URLSessionTransport`. The default transport stores no cookies, responses or credentials.
    public struct DefaultTransport: Transport {
        private static let chosen: Result<any Transport, TransportError> = {
            #if os(Linux)
                do throws(TransportError) { return .success(try CurlTransport()) } catch { return .failure(error) }
            #else
                return .success(URLSessionTransport())
            #endif
        }()

        /// Sends a request and returns the response as soon as its head arrives; the body may still be arriving.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of the transfer.
        /// - Returns: the response.
        /// - Throws: `TransportError`, whose message contains the host but never the path or the query. If libcurl is
        ///   missing, the kind is `unavailable`, and the message names the package to install.
        public func send(
            _ request: HTTPRequest,
            options: TransferOptions
        ) async throws(TransportError) -> HTTPResponse {
            try await Self.chosen.get().send(request, options: options)
        }
    }
}

extension Transport where Self == Client.DefaultTransport {
    /// The shared default transport: libcurl on Linux, `URLSession` elsewhere.
    public static var `default`: Client.DefaultTransport { Client.DefaultTransport() }
}

#if os(Linux)
    // libcurl forwards interim responses.
    extension Client.DefaultTransport: InterimResponseTransport {}
#endif
