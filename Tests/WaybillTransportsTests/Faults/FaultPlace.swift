import Foundation
import Testing
import Waybill

@testable import WaybillTesting

/// The destination of a request, which exists for the lifetime of this value.
struct FaultPlace {
    let url: URL
    private var sockets: [Socket] = []

    init(_ place: Fault.Place, _ server: LoopbackServer) throws {
        switch place {
        case .server: url = server.url.appending(path: "it")
        // A label has at most 63 octets (RFC 1035, section 2.3.4), so no name server is queried.
        case .nowhere: url = try #require(URL(string: "http://\(String(repeating: "a", count: 64)).invalid/it"))
        case .nothing:
            let (socket, port) = try Socket.bound()
            url = try #require(URL(string: "http://127.0.0.1:\(port)/it"))
            sockets = [socket]
        case .full:
            let (listener, port) = try Socket.listening()
            url = try #require(URL(string: "http://127.0.0.1:\(port)/it"))
            // The system still accepts one or two connections, and then ignores every attempt.
            #expect(listen(listener.descriptor.number, 0) == 0)
            sockets = [listener] + (0..<4).map { _ in Self.connecting(to: port) }
        #if os(Linux)
            case .tls(let block, _): url = try TLSServer.shared.get().url(block, "where", scheme: "https")
        #endif
        }
    }

    /// Returns a socket that is connecting to a port on this machine.
    private static func connecting(to port: UInt16) -> Socket {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let socket = Socket(socket(AF_INET, stream, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(socket.descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return socket
    }
}
