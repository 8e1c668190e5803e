import Foundation

@testable import WaybillTesting

/// A connection to a ``ServerThread``.
protocol ServedConnection: Sendable {
    var socket: Socket { get }

    /// Reads the bytes that have arrived, and responds; returns false if the connection has ended.
    mutating func read() -> Bool
}

/// A thread that serves all connections to one port, for servers that write raw bytes.
///
/// The thread ends and closes its connections when the object is deallocated.
final class ServerThread: Sendable {
    /// The URL of the port.
    let url: URL
    private let stop: Waker
    private let thread: JoinableThread

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - limit: the number of connections after which the port is closed.
    ///   - open: creates a connection from its socket.
    init<Connection: ServedConnection>(
        accepting limit: Int = .max,
        _ open: @escaping @Sendable (Socket) -> Connection
    ) throws {
        let (socket, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)/it") else { throw URLError(.badURL) }
        self.url = url
        let stop = try Waker()
        self.stop = stop
        let listening = Monitor<Socket?>(socket)
        thread = try JoinableThread {
            var connections: [Connection] = []
            var count = 0
            while true {
                let listener = listening.current
                let sockets = connections.map(\.socket) + [listener].compactMap { $0 }
                let ready = Descriptor.wait(
                    [(stop.signal, .reading)] + sockets.map { ($0.descriptor, .reading) }
                )
                guard !ready[0] else { return }
                // Existing connections are read before a new one is accepted, so that requests are in the order of
                // their connections.
                connections = zip(connections, ready.dropFirst()).compactMap { connection, isReady in
                    var connection = connection
                    return !isReady || connection.read() ? connection : nil
                }
                if let listener, ready.last == true, let number = try? listener.acceptConnection() {
                    connections.append(open(Socket(number)))
                    count += 1
                    if count == limit { listening.update { $0 = nil } }
                }
            }
        }
    }

    deinit {
        stop.wake()
        thread.join()
    }
}
