#if os(macOS) || os(Linux)
    import Foundation

    /// A connection to the ``StreamServer``, served on a dedicated thread.
    ///
    /// Its only clients are the benchmarks, so it closes on any unexpected request.
    final class StreamConnection: @unchecked Sendable {  // used by its thread only
        private let socket: Int32
        private let size: StreamSize
        private var memory = [UInt8](repeating: 0, count: 1 << 20)
        /// The bytes read after the last request head.
        private var rest = Data()

        init(_ socket: Int32, _ size: StreamSize) {
            self.socket = socket
            self.size = size
        }

        /// Serves requests until the client closes the connection.
        func run() {
            defer { close(socket) }
            while let head = readHead() {
                let words = head.split(separator: " ", maxSplits: 2).map(String.init)
                guard words.count == 3 else { return }
                let name = words[1].dropFirst()
                if words[0] == "POST" {
                    guard let length = Self.field("content-length", in: head).flatMap({ Int($0) }) else { return }
                    guard let receipt = receive(length, head), send(receipt) else { return }
                } else if name == "ready" {
                    guard send("{}") else { return }
                } else {
                    guard let task = StreamTask(rawValue: String(name)), send(StreamBody(task, size)) else { return }
                }
            }
        }

        private func readHead() -> String? {
            let end = Data("\r\n\r\n".utf8)
            while true {
                if let range = rest.range(of: end) {
                    defer { rest = Data(rest[range.upperBound...]) }
                    return String(decoding: rest[..<range.lowerBound], as: UTF8.self)
                }
                guard let count = read() else { return nil }
                rest.append(contentsOf: memory[..<count])
            }
        }

        private static func field(_ name: String, in head: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name else { continue }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
            return nil
        }

        /// Reads and discards a form, and returns the receipt as JSON; nil if the client has disconnected.
        private func receive(_ length: Int, _ head: String) -> String? {
            if Self.field("expect", in: head) != nil, !write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { return nil }
            let boundary = Self.field("content-type", in: head)?.components(separatedBy: "boundary=").last ?? ""
            let ending = Data("\r\n--\(boundary)--\r\n".utf8)
            var tail = rest.suffix(ending.count)
            var missing = length - rest.count
            rest = Data()
            while missing > 0 {
                guard let count = read() else { return nil }
                missing -= count
                let last = memory[..<count].suffix(ending.count)
                tail = (tail + last).suffix(ending.count)
            }
            return #"{"bytes":\#(length - missing),"isComplete":\#(missing == 0 && Data(tail) == ending)}"#
        }

        private func send(_ json: String) -> Bool {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
            return write(Data((head + json).utf8))
        }

        private func send(_ body: StreamBody) -> Bool {
            var head = "HTTP/1.1 200 OK\r\nContent-Type: \(body.contentType)\r\n"
            head += "Content-Length: \(body.length)\r\n\r\n"
            guard write(Data(head.utf8) + body.opening) else { return false }
            var block = body.block
            for number in 0..<body.count {
                if body.isNumbered { block.number(number) }
                guard write(block) else { return false }
            }
            return write(body.closing)
        }

        private func read() -> Int? {
            let count = memory.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            return count > 0 ? count : nil
        }

        private func write(_ bytes: Data) -> Bool {
            bytes.withUnsafeBytes { buffer in
                var rest = buffer[...]
                while !rest.isEmpty {
                    let part = UnsafeRawBufferPointer(rebasing: rest)
                    let count = Foundation.send(socket, part.baseAddress, part.count, 0)
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
    }
#endif
