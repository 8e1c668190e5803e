import Foundation
import Waybill

@testable import WaybillTesting

/// A server that keeps its connections open, and resets the first one that carries an upload inside the upload's body.
///
/// It reads every later upload to the end of the body or of the connection, so it sees every byte that a transport
/// sends again.
final class ResettingServer: Sendable {
    private let uploads = Locked<[Data]>([])
    private let thread: ServerThread

    /// Starts a server.
    ///
    /// - Parameter count: the number of bytes of the first body to read before the reset.
    init(resettingAfter count: Int) throws {
        thread = try ServerThread { [uploads] socket in
            Connection(socket: socket, uploads: uploads, resetCount: count)
        }
    }

    var url: URL { thread.url }

    /// The bodies received so far, including incomplete ones.
    var bodies: [Data] { uploads.withLock { $0 } }

    private struct Connection: ServedConnection {
        let socket: Socket
        let uploads: Locked<[Data]>
        /// The number of bytes of the first body to read before the reset.
        let resetCount: Int
        var unread = Data()
        /// The index and length of the current upload; nil between requests.
        var upload: (index: Int, length: Int)?

        mutating func read() -> Bool {
            // Reads few bytes at a time, so that the sender has read further in its body when it notices the reset.
            var buffer = [UInt8](repeating: 0, count: 1024)
            switch socket.receive(into: &buffer) {
            case .bytes(let count): unread += buffer.prefix(count)
            case .wouldBlock: return true
            case .end, .failed: return false
            }
            return handle()
        }

        private mutating func handle() -> Bool {
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
            if upload.index == 0, received >= resetCount {
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
