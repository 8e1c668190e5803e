#if os(macOS) || os(Linux)
    import Foundation
    import WaybillTesting

    /// An nginx process with a separate configuration and folder, independent of any other on this machine.
    struct Nginx {
        /// The URL of the server.
        let url: URL

        private let process: Process
        private let folder: URL

        /// The error for an nginx process that did not start.
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// The installed program, on the `PATH` or in a usual system folder; nil if it is missing.
        static var program: URL? {
            let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            return (path + ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"])
                .map { URL(fileURLWithPath: $0).appendingPathComponent("nginx") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        /// Starts nginx and waits until it listens.
        ///
        /// - Throws: ``Failure`` with nginx's messages.
        init(_ program: URL) async throws {
            url = try Self.freeAddress()
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
            process = Process()
            do {
                try Self.fill(folder, port: url.port ?? 0)
                try await start(program)
            } catch {
                stop()
                throw error
            }
        }

        /// Stops nginx and removes its folder.
        func stop() {
            if process.isRunning {
                process.terminate()
                process.waitUntilExit()
            }
            try? FileManager.default.removeItem(at: folder)
        }

        private func start(_ program: URL) async throws {
            let output = try FileHandle(forWritingTo: folder.appendingPathComponent("output.txt"))
            defer { try? output.close() }
            process.executableURL = program
            process.arguments = ["-p", folder.path, "-c", folder.appendingPathComponent("nginx.conf").path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
            // nginx writes this file once it is listening.
            let sign = folder.appendingPathComponent("nginx.pid").path
            while !FileManager.default.fileExists(atPath: sign) {
                guard process.isRunning else {
                    let text = try Data(contentsOf: folder.appendingPathComponent("output.txt"))
                    throw Failure(description: "nginx did not start:\n\(String(decoding: text, as: UTF8.self))")
                }
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        /// Returns an unused address, which a stopped server has just released.
        private static func freeAddress() throws -> URL {
            let server = try LoopbackServer([:])
            server.stop()
            return server.url
        }

        private static func fill(_ folder: URL, port: Int) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: folder.appendingPathComponent("output.txt"))
            try Data(configuration(port: port).utf8).write(to: folder.appendingPathComponent("nginx.conf"))
            let body = folder.appendingPathComponent("large")
            try Data().write(to: body)
            let file = try FileHandle(forWritingTo: body)
            // The file is sparse, so no disk reads are measured.
            try file.truncate(atOffset: UInt64(LargeBody.length))
            try file.close()
        }

        // One worker leaves processor time for the client. The small response is sent from memory with one system call.
        // If root starts nginx, the workers also run as root, which can read the folder.
        private static func configuration(port: Int) -> String {
            """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid nginx.pid;
            error_log error.log warn;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                keepalive_requests 1000000000;
                keepalive_timeout 1h;
                sendfile on;
                tcp_nopush on;
                server {
                    listen 127.0.0.1:\(port) backlog=1024;
                    location = /product {
                        default_type application/json;
                        return 200 '\(String(decoding: Exchange.body, as: UTF8.self))';
                    }
                    location = /large { root .; }
                }
            }

            """
        }
    }
#endif
