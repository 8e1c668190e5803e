import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A raw TCP client that sends bytes and collects the response, so that tests see the wire format.
///
/// Its blocking calls run on a dispatch queue, never on a thread of the cooperative pool. They have no timeout:
/// cancelling the task, for example at a test's time limit, shuts down the connection and ends the wait.
final class WireClient: Sendable {
    /// The received bytes and how the connection ended.
    struct Received: Sendable, Equatable {
        enum Ending: Sendable { case closed, reset, stillOpen }
        var bytes: [UInt8] = []
        var ending = Ending.stillOpen

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "wire client")

    init(_ url: URL) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(url.port ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(message: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    struct Failure: Error { let message: String }

    /// Sends text unchanged.
    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Sends bytes; a lost connection is noticed only when reading.
    func send(_ bytes: [UInt8]) async {
        await run { descriptor in
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    #if canImport(Darwin)
                        Darwin.send(descriptor, $0.baseAddress, $0.count, flags)
                    #elseif canImport(Musl)
                        Musl.send(descriptor, $0.baseAddress, $0.count, flags)
                    #else
                        Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
                    #endif
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads until the received bytes satisfy the condition, or the connection ends.
    func receive(until isEnough: @escaping @Sendable (Received) -> Bool) async -> Received {
        await run { descriptor in
            var received = Received()
            var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
            while !isEnough(received) {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count > 0 {
                    received.bytes += buffer[..<count]
                } else {
                    received.ending = count == 0 ? .closed : errno == ECONNRESET ? .reset : .stillOpen
                    break
                }
            }
            return received
        }
    }

    /// Reads until the received bytes contain a text.
    func receive(through text: String) async -> Received { await receive { $0.text.contains(text) } }

    /// Reads until the connection ends.
    func receiveAll() async -> Received { await receive { _ in false } }

    /// Reads a response with a `Content-Length`, or without a body if `hasBody` is false.
    func receiveResponse(hasBody: Bool = true) async -> Received {
        await receive { received in
            guard let end = received.text.range(of: "\r\n\r\n") else { return false }
            let head = received.text[..<end.lowerBound].lowercased()
            guard hasBody, let field = head.range(of: "content-length: ") else { return true }
            let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
            return received.text[end.upperBound...].utf8.count >= length
        }
    }

    private func run<Result: Sendable>(_ work: @escaping @Sendable (Int32) -> Result) async -> Result {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: work(descriptor)) }
            }
        } onCancel: {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}

extension URL {
    /// Sends a request over a new connection and reads until the connection ends.
    func exchange(_ request: String) async throws -> WireClient.Received {
        let client = try WireClient(self)
        await client.send(request)
        return await client.receiveAll()
    }

    /// Sends a `GET` with `Connection: close` and reads until the connection ends.
    func get(_ path: String) async throws -> WireClient.Received {
        try await exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    }
}
