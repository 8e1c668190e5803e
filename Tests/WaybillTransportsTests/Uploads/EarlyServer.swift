import Foundation

@testable import WaybillTesting

/// A server that responds after reading part of a request, and does not read the rest.
final class EarlyServer: Sendable {
    /// The state of each connection after its response.
    enum Ending: String, CaseIterable, Sendable {
        /// It is closed with unread bytes, which resets it.
        case closes
        /// It stays open, and nothing more is read.
        case stays
    }

    let url: URL
    private let stop: Waker
    private let thread: JoinableThread

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - response: the bytes of the response.
    ///   - ending: the state of the connection afterwards.
    ///   - count: the number of bytes of a request to read first.
    init(_ response: [UInt8], _ ending: Ending, reading count: Int) throws {
        let (listener, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        let stop = try Waker()
        self.url = url
        self.stop = stop
        thread = try JoinableThread {
            var kept: [Socket] = []
            while true {
                let ready = Descriptor.wait([(listener.descriptor, .reading), (stop.signal, .reading)])
                guard !ready[1] else { return }
                guard let number = try? listener.acceptConnection() else { continue }
                let connection = Socket(number)
                Self.read(connection, count)
                response.withUnsafeBytes { _ = connection.transmit($0) }
                if ending == .stays { kept.append(connection) }
            }
        }
    }

    deinit {
        stop.wake()
        thread.join()
    }

    private static func read(_ connection: Socket, _ count: Int) {
        var (read, buffer) = (0, [UInt8](repeating: 0, count: 4096))
        while read < count {
            switch connection.receive(into: &buffer) {
            case .bytes(let more): read += more
            case .wouldBlock: _ = Descriptor.wait([(connection.descriptor, .reading)])
            case .end, .failed: return
            }
        }
    }
}
