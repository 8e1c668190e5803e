#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The shared state of a transport's copies: its loop, which ends with the last of them.
    final class CurlSession: Sendable {
        let configuration: CurlTransport.Configuration
        let loop: CurlLoop

        init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
            self.configuration = configuration
            loop = try CurlLoop(configuration)
        }

        // Transfers in flight keep the session alive, so that none of them is abandoned.
        deinit { loop.shutDown() }
    }
#endif
