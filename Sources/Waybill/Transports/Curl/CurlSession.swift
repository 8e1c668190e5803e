#if os(Linux)
    import Foundation

    /// What the copies of a transport share: its loop, which ends with the last of them.
    final class CurlSession: Sendable {
        let configuration: CurlTransport.Configuration
        let loop: CurlLoop

        init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
            self.configuration = configuration
            loop = try CurlLoop(configuration)
        }

        // Transfers on their way keep the session, so that none of them is left behind.
        deinit { loop.shutDown() }
    }
#endif
