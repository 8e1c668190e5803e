#if os(Linux)
    import Foundation
    import Waybill

    @testable import WaybillTesting

    /// An HTTP/2 server without TLS that writes raw frames (RFC 9113, section 4), with one scripted reply per request.
    final class FrameServer: Sendable {
        /// The reply to a request.
        enum Reply: Sendable {
            /// 200 with the body `fine`.
            case fine
            /// A reset of the stream with an error code.
            case reset(code: UInt8)
            /// The head and half of the body, then a reset of the stream with an error code.
            case resetInBody(code: UInt8)
            /// A GOAWAY with a last stream and an error code, optionally followed by the end of the connection.
            case goAway(last: UInt8, code: UInt8, closes: Bool = false)
            /// The end of the connection.
            case close
        }

        private let received = Locked<[Int]>([])
        private let thread: ServerThread

        /// Starts a server.
        ///
        /// - Parameters:
        ///   - limit: the number of connections after which the port is closed.
        ///   - reply: returns the reply to the request with this number, counted from 0.
        init(accepting limit: Int = .max, _ reply: @escaping @Sendable (Int) -> Reply) throws {
            thread = try ServerThread(accepting: limit) { [received] socket in
                FrameConnection(socket: socket) { count in
                    let number = received.withLock { received in
                        received.append(count)
                        return received.count - 1
                    }
                    return reply(number)
                }
            }
        }

        var url: URL { thread.url }

        /// The body lengths of the complete requests so far.
        var bodyLengths: [Int] { received.withLock { $0 } }
    }

    /// A connection to a ``FrameServer``.
    private struct FrameConnection: ServedConnection {
        let socket: Socket
        /// Returns the reply to a request with a body of this length.
        private let reply: @Sendable (Int) -> FrameServer.Reply
        private var unread: [UInt8] = []
        private var hasBegun = false
        private var bodies: [UInt32: Int] = [:]

        init(socket: Socket, reply: @escaping @Sendable (Int) -> FrameServer.Reply) {
            self.socket = socket
            self.reply = reply
        }

        mutating func read() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            switch socket.receive(into: &buffer) {
            case .bytes(let count): unread += buffer.prefix(count)
            case .wouldBlock: return true
            case .end, .failed: return false
            }
            if !hasBegun {
                // The client's connection preface.
                guard unread.count >= 24 else { return true }
                unread.removeFirst(24)
                hasBegun = true
                // Flow-control windows of 1 GiB: SETTINGS_INITIAL_WINDOW_SIZE and the connection's window.
                send(4, on: 0, [0, 4, 0x40, 0, 0, 0])
                send(8, on: 0, [0x3F, 0, 0, 0])
            }
            while unread.count >= 9 {
                let length = Int(unread[0]) << 16 | Int(unread[1]) << 8 | Int(unread[2])
                guard unread.count >= 9 + length else { return true }
                let (type, flags) = (unread[3], unread[4])
                let stream = unread[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
                unread.removeFirst(9 + length)
                if type == 4, flags & 1 == 0 { send(4, flags: 1, on: 0) }
                guard type == 0 || type == 1 else { continue }
                bodies[stream, default: 0] += type == 0 ? length : 0
                guard flags & 1 != 0 else { continue }
                guard perform(reply(bodies[stream] ?? 0), on: stream) else { return false }
            }
            return true
        }

        private func perform(_ reply: FrameServer.Reply, on stream: UInt32) -> Bool {
            // Index 8 of the HPACK static table is `:status: 200`.
            switch reply {
            case .fine:
                send(1, flags: 4, on: stream, [0x88])
                send(0, flags: 1, on: stream, Array("fine".utf8))
            case .reset(let code): send(3, on: stream, [0, 0, 0, code])
            case .resetInBody(let code):
                send(1, flags: 4, on: stream, [0x88])
                send(0, on: stream, Array("fi".utf8))
                send(3, on: stream, [0, 0, 0, code])
            case .goAway(let last, let code, let closes):
                send(7, on: 0, [0, 0, 0, last, 0, 0, 0, code])
                return !closes
            case .close: return false
            }
            return true
        }

        private func send(_ type: UInt8, flags: UInt8 = 0, on stream: UInt32, _ payload: [UInt8] = []) {
            let number = withUnsafeBytes(of: stream.bigEndian) { Array($0) }
            let frame = [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags] + number + payload
            _ = frame.withUnsafeBytes { socket.transmit($0) }
        }
    }
#endif
