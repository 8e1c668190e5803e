import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings of a transport in addition to its session's configuration.
struct URLSessionSettings: Sendable {
    /// The maximum silence of a connection; nil for no limit.
    var idleTimeout: Duration?

    #if !canImport(FoundationNetworking)
        /// The handler of TLS challenges; nil leaves them to the system.
        var challengeHandler: URLSessionTransport.ChallengeHandler?
    #endif
}
