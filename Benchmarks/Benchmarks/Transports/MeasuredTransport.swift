import Foundation
import Waybill
import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    import WaybillCurl
#endif

/// A transport that is measured.
struct MeasuredTransport: Sendable {
    /// The name of the subject.
    let name: String

    private let transport: @Sendable (_ connections: Int?) throws -> any Transport

    private init(name: String, _ transport: @escaping @Sendable (_ connections: Int?) throws -> any Transport) {
        self.name = name
        self.transport = transport
    }

    /// Creates a transport that has not connected yet.
    ///
    /// - Parameter connections: the most connections to one server; nil for the transport's own number.
    /// - Throws: the error of a transport for which the machine lacks something.
    func make(connections: Int? = nil) throws -> any Transport { try transport(connections) }

    /// The transports of this system; the others are compared with the first one.
    static var all: [MeasuredTransport] {
        #if os(Linux)
            [urlSession, curl]
        #else
            [urlSession]
        #endif
    }

    /// Further configurations, whose rates alone are compared.
    static var variants: [MeasuredTransport] {
        #if os(Linux)
            [curlWithOneLoop]
        #else
            []
        #endif
    }

    /// The transports of ``all`` that can be created on this machine; prints which cannot.
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
