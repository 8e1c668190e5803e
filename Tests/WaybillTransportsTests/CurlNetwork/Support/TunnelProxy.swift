#if os(Linux)
    import Foundation
    import Waybill

    @testable import WaybillTesting

    /// A proxy on 127.0.0.1 that forwards bytes to a port on this machine, whatever the host name.
    ///
    /// It accepts any user and password, and records its requests.
    final class TunnelProxy: Sendable {
        enum Kind: Sendable {
            /// CONNECT (RFC 9110, section 9.3.6).
            case http
            /// SOCKS 5 (RFC 1928) with a user and a password (RFC 1929).
            case socks5
        }

        let port: UInt16
        private let log: Monitor<[String]>
        private let stopping: Waker
        private let acceptor: Monitor<JoinableThread?>

        /// Starts a proxy.
        ///
        /// - Parameters:
        ///   - kind: the protocol.
        ///   - rejects: whether to reject every connection.
        init(_ kind: Kind, rejects: Bool = false) throws {
            let (listener, port) = try Socket.listening()
            let (log, stopping) = (Monitor<[String]>([]), try Waker())
            (self.port, self.log, self.stopping) = (port, log, stopping)
            acceptor = Monitor(
                try JoinableThread {
                    var threads: [JoinableThread] = []
                    defer { for thread in threads { thread.join() } }
                    while true {
                        let ready = Descriptor.wait([(listener.descriptor, .reading), (stopping.signal, .reading)])
                        if ready[1] { return }
                        guard let number = try? listener.acceptConnection() else { continue }
                        let tunnel = Tunnel(client: Socket(number), rejects: rejects, stop: stopping.signal) { line in
                            log.update { $0.append(line) }
                        }
                        if let thread = try? JoinableThread({ tunnel.serve(kind) }) { threads.append(thread) }
                    }
                }
            )
        }

        deinit { stop() }

        /// The requests in order: the lines of a request head, or the user, password, host and port on one line.
        var lines: [String] { log.current }

        /// Ends the proxy's threads.
        func stop() {
            stopping.wake()
            acceptor.update { thread in
                thread?.join()
                thread = nil
            }
        }
    }

    /// A connection to a proxy.
    private struct Tunnel: Sendable {
        let client: Socket
        let rejects: Bool
        let stop: Descriptor
        let note: @Sendable (String) -> Void

        func serve(_ kind: TunnelProxy.Kind) {
            guard let server = kind == .http ? connectHTTP() : connectSOCKS() else { return }
            relay(server)
        }

        private func connectHTTP() -> Socket? {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard let byte = read(1)?.first else { return nil }
                head.append(byte)
            }
            let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
            lines.forEach(note)
            let target = lines.first?.split(separator: " ").dropFirst().first ?? ""
            guard !rejects, let port = target.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n".utf8)
                return nil
            }
            write("HTTP/1.1 200 Connected\r\n\r\n".utf8)
            return connect(port)
        }

        private func connectSOCKS() -> Socket? {
            guard let count = read(2)?.last, read(Int(count)) != nil else { return nil }
            write([5, 2])
            guard let user = read(2)?.last.flatMap({ read(Int($0)) }),
                let password = read(1)?.last.flatMap({ read(Int($0)) })
            else { return nil }
            write([1, rejects ? 1 : 0])
            guard !rejects, let kind = read(4)?.last else { return nil }
            let host =
                kind == 3
                ? read(1)?.last.flatMap { read(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
                : read(4)?.map(String.init).joined(separator: ".")
            guard let host, let bytes = read(2) else { return nil }
            let port = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            let (userText, passwordText) = (
                String(decoding: user, as: UTF8.self), String(decoding: password, as: UTF8.self)
            )
            note("\(userText):\(passwordText) \(host):\(port)")
            write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            return connect(port)
        }

        private func connect(_ port: UInt16) -> Socket? {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard number >= 0 else { return nil }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let server = Socket(number)
            return code == 0 ? server : nil
        }

        private func relay(_ server: Socket) {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let ready = Descriptor.wait([
                    (client.descriptor, .reading), (server.descriptor, .reading), (stop, .reading),
                ])
                if ready[2] { return }
                for (isReady, from, to) in [(ready[0], client, server), (ready[1], server, client)] where isReady {
                    switch from.receive(into: &buffer) {
                    case .bytes(let count): guard write(buffer[..<count], to: to) else { return }
                    case .wouldBlock: continue
                    case .end, .failed: return
                    }
                }
            }
        }

        /// Reads exactly `count` bytes; returns nil if the connection ends first.
        private func read(_ count: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            while bytes.count < count {
                if Descriptor.wait([(client.descriptor, .reading), (stop, .reading)])[1] { return nil }
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                switch client.receive(into: &buffer) {
                case .bytes(let count): bytes += buffer[..<count]
                case .wouldBlock: continue
                case .end, .failed: return nil
                }
            }
            return bytes
        }

        @discardableResult
        private func write(_ bytes: some Collection<UInt8>, to socket: Socket? = nil) -> Bool {
            let socket = socket ?? client
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                switch rest.withUnsafeBytes({ socket.transmit($0) }) {
                case .bytes(let count): rest = rest.dropFirst(count)
                case .wouldBlock:
                    if Descriptor.wait([(socket.descriptor, .writing), (stop, .reading)])[1] { return false }
                case .end, .failed: return false
                }
            }
            return true
        }
    }
#endif
