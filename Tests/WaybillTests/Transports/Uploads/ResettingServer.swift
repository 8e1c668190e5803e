import Foundation
import Waybill

@testable import WaybillTesting

/// A server that keeps its connections, and resets the first one over which an upload comes, within its body.
///
/// It reads every later upload to its end, or to that of its connection. So it sees each byte that a transport sends
/// again.
final class ResettingServer: Sendable {
    let url: URL
    private let uploads = Locked<[Data]>([])
    private let stop: Waker
    private let thread: JoinableThread

    /// Starts a server.
    ///
    /// - Parameter count: the number of bytes of the first body to read before the reset.
    init(resettingAfter count: Int) throws {
        let (listener, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        let stop = try Waker()
        self.url = url
        self.stop = stop
        thread = try JoinableThread { [uploads] in
            var connections: [Connection] = []
            while true {
                let ready = Descriptor.wait(
                    [(listener.descriptor, .reading), (stop.signal, .reading)]
                        + connections.map { ($0.socket.descriptor, .reading) }
                )
                guard !ready[1] else { return }
                // First, so that the uploads are in the order of their connections.
                connections = zip(connections, ready.dropFirst(2)).compactMap { connection, isReady in
                    isReady ? connection.read(uploads, resettingAfter: count) : connection
                }
                if ready[0], let number = try? listener.acceptConnection() {
                    connections.append(Connection(socket: Socket(number)))
                }
            }
        }
    }

    deinit {
        stop.wake()
        thread.join()
    }

    /// The bodies that have come, each as far as it has come.
    var bodies: [Data] { uploads.withLock { $0 } }

    private struct Connection {
        let socket: Socket
        var unread = Data()
        /// The index of the upload that comes, and its length; nil between requests.
        var upload: (index: Int, length: Int)?

        /// Reads what has come; nil if the connection is over.
        func read(_ uploads: Locked<[Data]>, resettingAfter count: Int) -> Connection? {
            var connection = self
            // Few bytes at a time: the sender has then read on in its body when it learns of the reset.
            var buffer = [UInt8](repeating: 0, count: 1024)
            switch socket.receive(into: &buffer) {
            case .bytes(let count): connection.unread += buffer.prefix(count)
            case .wouldBlock: return connection
            case .end, .failed: return nil
            }
            return connection.handle(uploads, resettingAfter: count) ? connection : nil
        }

        private mutating func handle(_ uploads: Locked<[Data]>, resettingAfter count: Int) -> Bool {
            if upload == nil {
                guard let end = unread.range(of: Data("\r\n\r\n".utf8))?.upperBound else { return true }
                let head = String(decoding: unread[..<end], as: UTF8.self).lowercased()
                unread = Data(unread[end...])
                let field = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
                let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                guard length > 0 else { return respond() }
                let index = uploads.withLock { uploads in
                    uploads.append(Data())
                    return uploads.count - 1
                }
                upload = (index, length)
            }
            guard let upload else { return true }
            let received = uploads.withLock { uploads in
                uploads[upload.index] += unread
                return uploads[upload.index].count
            }
            unread = Data()
            if upload.index == 0, received >= count {
                socket.resetOnClose()
                return false
            }
            guard received >= upload.length else { return true }
            self.upload = nil
            return respond()
        }

        private func respond() -> Bool {
            let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine".utf8)
            return response.withUnsafeBytes { socket.transmit($0) } == .bytes(response.count)
        }
    }
}
