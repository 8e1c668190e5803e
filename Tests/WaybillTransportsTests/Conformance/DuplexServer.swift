import Foundation

@testable import WaybillTesting

/// A server that sends response chunks while the request is still arriving, for one connection at a time.
final class DuplexServer: Sendable {
    let url: URL
    private let stop: Waker
    private let thread: JoinableThread

    /// Starts a server.
    ///
    /// - Parameter count: the number of bytes to send, each after the client echoes the previous one; 0 to echo the
    ///   request's bytes instead.
    init(speaking count: Int) throws {
        let (listener, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        let stop = try Waker()
        self.url = url
        self.stop = stop
        thread = try JoinableThread {
            while !Descriptor.wait([(listener.descriptor, .reading), (stop.signal, .reading)])[1] {
                guard let number = try? listener.acceptConnection() else { continue }
                try? Self.serve(Socket(number), speaking: count, until: stop)
            }
        }
    }

    deinit {
        stop.wake()
        thread.join()
    }

    private static func serve(_ connection: consuming Socket, speaking count: Int, until stop: Waker) throws {
        var parser = RequestParser()
        var (buffer, unsent) = ([UInt8](repeating: 0, count: 4096), count)
        while true {
            switch try parser.next() {
            case .head:
                send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + (count > 0 ? "1\r\nA\r\n" : ""),
                    connection
                )
            case .body(let bytes) where count == 0:
                for byte in bytes { send("1\r\n\(Character(Unicode.Scalar(byte)))\r\n", connection) }
            case .body(let bytes):
                unsent -= bytes.count
                send(unsent > 0 ? "1\r\nA\r\n" : "0\r\n\r\n", connection)
            case .end:
                if count == 0 { send("0\r\n\r\n", connection) }
                return
            case nil:
                guard !Descriptor.wait([(connection.descriptor, .reading), (stop.signal, .reading)])[1] else { return }
                switch connection.receive(into: &buffer) {
                case .bytes(let count): parser.append(buffer.prefix(count))
                case .wouldBlock: continue
                case .end, .failed: return
                }
            }
        }
    }

    private static func send(_ text: String, _ connection: borrowing Socket) {
        Array(text.utf8).withUnsafeBytes { _ = connection.transmit($0) }
    }
}
