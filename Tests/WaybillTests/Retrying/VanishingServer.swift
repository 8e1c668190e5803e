import Foundation

@testable import WaybillTesting

/// A server that responds to one request and reads a second one over the same connection.
///
/// It then closes its port before closing the connection.
final class VanishingServer: Sendable {
    let url: URL
    private let thread: JoinableThread
    private let heads = Monitor<[String]>([])

    init() throws {
        let (socket, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.url = url
        let listener = Monitor<Socket?>(socket)
        thread = try JoinableThread { [heads] in
            guard let connection = listener.current.flatMap(Self.accept) else { return }
            for number in 1...2 {
                guard let head = Self.read(connection) else { return }
                heads.update { $0.append(head) }
                if number == 1 {
                    let response = Array(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1".utf8
                    )
                    response.withUnsafeBytes { _ = connection.transmit($0) }
                } else {
                    listener.update { $0 = nil }
                }
            }
        }
    }

    /// Waits until the server has stopped and returns the methods of its requests.
    func methods() -> [String] {
        thread.join()
        return heads.current.map { String($0.prefix { $0 != " " }) }
    }

    private static func accept(_ listener: Socket) -> Socket? {
        while true {
            if let number = try? listener.acceptConnection() { return Socket(number) }
            _ = Descriptor.wait([(listener.descriptor, .reading)])
        }
    }

    /// Reads the head of a request without a body.
    private static func read(_ connection: Socket) -> String? {
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 4096))
        while !text.contains("\r\n\r\n") {
            switch connection.receive(into: &buffer) {
            case .bytes(let count): text += String(decoding: buffer[..<count], as: UTF8.self)
            case .wouldBlock: _ = Descriptor.wait([(connection.descriptor, .reading)])
            case .end, .failed: return nil
            }
        }
        return text
    }
}
