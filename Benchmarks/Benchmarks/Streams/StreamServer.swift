#if os(macOS) || os(Linux)
    import Foundation

    /// The server of the `streams` suite, in a separate process.
    ///
    /// It generates bodies while sending them, and only counts received bytes, so neither is held in memory.
    enum StreamServer {
        /// The error of a system call.
        struct Failure: Error, CustomStringConvertible {
            let description: String

            init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
        }

        /// Serves until standard input ends, and prints the server's name and URL on standard output.
        ///
        /// - Parameter files: the files, whose folder is created and removed.
        static func run(_ files: StreamFiles) async throws {
            for each in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(each, SIG_IGN) }
            try FileManager.default.createDirectory(at: files.folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: files.folder) }
            try files.writeSource()
            let (listener, port) = try listening()
            let thread = Thread {
                while true {
                    let socket = accept(listener, nil, nil)
                    guard socket >= 0 else { continue }
                    Thread { StreamConnection(socket, files.size).run() }.start()
                }
            }
            thread.start()
            let line = "StreamServer http://127.0.0.1:\(port)\n"
            try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
            _ = try await OwnThread.run { try FileHandle.standardInput.readToEnd() }
        }

        /// Creates a socket that listens on 127.0.0.1, on a port chosen by the system.
        private static func listening() throws -> (socket: Int32, port: UInt16) {
            #if canImport(Glibc)
                let stream = Int32(SOCK_STREAM.rawValue)
            #else
                let stream = SOCK_STREAM
            #endif
            let listener = socket(AF_INET, stream, 0)
            guard listener >= 0 else { throw Failure("socket") }
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
                }
            }
            guard isBound, listen(listener, 16) == 0 else { throw Failure("listen") }
            return (listener, UInt16(bigEndian: address.sin_port))
        }
    }
#endif
