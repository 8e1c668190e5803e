import Foundation
import Waybill
import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    import WaybillCurl
#endif

/// A transport to measure.
struct MeasuredTransport: Sendable {
    /// The name of the subject.
    let name: String

    private let transport: @Sendable (_ connections: Int?) throws -> any Transport

    private init(name: String, _ transport: @escaping @Sendable (_ connections: Int?) throws -> any Transport) {
        self.name = name
        self.transport = transport
    }

    /// Creates a transport without open connections.
    ///
    /// - Parameter connections: the maximum number of connections per server; nil for the transport's default.
    /// - Throws: the transport's error if this machine does not meet its requirements.
    func make(connections: Int? = nil) throws -> any Transport { try transport(connections) }

    /// The transports for this system; the first is the reference for the others.
    static var all: [MeasuredTransport] {
        #if os(Linux)
            [urlSession, curl]
        #else
            [urlSession]
        #endif
    }

    /// Further configurations, for which only rates are compared.
    static var variants: [MeasuredTransport] {
        #if os(Linux)
            [curlWithOneLoop]
        #else
            []
        #endif
    }

    /// The transports in ``all`` that can be created on this machine; prints a line for each of the others.
    static var available: [MeasuredTransport] {
        all.filter { each in
            do {
                _ = try each.make()
                return true
            } catch {
                print("SKIPPED: \(each.name): \(error)")
                return false
            }
        }
    }

    private static let urlSession = MeasuredTransport(name: "urlsession") { connections in
        guard let connections else { return URLSessionTransport() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        return URLSessionTransport(configuration: configuration)
    }

    #if os(Linux)
        private static let curl = MeasuredTransport(name: "curl") { connections in
            var configuration = CurlTransport.Configuration()
            if let connections { configuration.connections.perOrigin = connections }
            return try CurlTransport(configuration)
        }

        private static let curlWithOneLoop = MeasuredTransport(name: "curl with one loop") { connections in
            var configuration = CurlTransport.Configuration()
            configuration.loops = 1
            if let connections { configuration.connections.perOrigin = connections }
            return try CurlTransport(configuration)
        }
    #endif
}
