#if os(Linux)
    @_exported import WaybillCurl
#else
    @_exported import WaybillURLSession
#endif

#if canImport(Musl)
    #warning("A static program cannot load libcurl: give each Client a transport, such as URLSessionTransport().")
#endif

extension Client {
    /// The transport of a client that is given none; all clients share it.
    ///
    /// On Linux it is a `CurlTransport`, and libcurl is looked for when the first request is sent. On Apple's platforms
    /// and Android it is a `URLSessionTransport`. It keeps no cookies, cache or credentials.
    public struct DefaultTransport: Transport {
        private static let chosen: Result<any Transport, TransportError> = {
            #if os(Linux)
                do throws(TransportError) { return .success(try CurlTransport()) } catch { return .failure(error) }
            #else
                return .success(URLSessionTransport())
            #endif
        }()

        /// Sends a request and returns the response's head, with a body that is still arriving.
        ///
        /// - Throws: `TransportError` whose message names the host and never the path or the query; of kind
        ///   `unavailable` if there is no libcurl, with the name of the package to install.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of its transfer.
        /// - Returns: the response.
        public func send(
            _ request: HTTPRequest,
            options: TransferOptions
        ) async throws(TransportError) -> HTTPResponse {
            try await Self.chosen.get().send(request, options: options)
        }
    }
}

extension Transport where Self == Client.DefaultTransport {
    /// The default transport, which all its users share: libcurl on Linux, `URLSession` elsewhere.
    public static var `default`: Client.DefaultTransport { Client.DefaultTransport() }
}

#if os(Linux)
    // libcurl passes them on.
    extension Client.DefaultTransport: InterimResponseTransport {}
#endif
