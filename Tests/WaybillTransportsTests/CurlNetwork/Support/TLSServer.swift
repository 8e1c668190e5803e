import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import WaybillTesting

    /// An nginx with test certificates that all tests share.
    ///
    /// It stops when the test process ends.
    ///
    /// Paths: `/where` returns the request's target, `/connection` the connection's number and the protocol, `/session`
    /// whether its TLS session was resumed (`r`), `/fields` the received `Proxy-Authorization`, `/hop` redirects to
    /// `/where?hopped=1`, `/large` returns ``large``, `/zipped/large` returns it compressed with gzip, `/put/…` stores
    /// a body, and `/small/…` rejects a body above 1 kB.
    final class TLSServer: Sendable {
        /// The servers, each on a separate port.
        enum Block: String, CaseIterable, Sendable {
            case good, expired, elsewhere
            /// A server that requests a client certificate.
            case client
            /// A server without HTTP/2.
            case older
            /// A server that ends each connection with GOAWAY after 20 requests.
            case brief
            /// A server without TLS.
            case plain
            /// A server without TLS that supports HTTP/2 only.
            case plain2
        }

        static let shared = Result { try TLSServer() }

        let folder: URL
        private let ports: [Block: UInt16]
        /// The input of a shell that stops nginx when the input ends, which happens at the latest when this process
        /// ends.
        private let input: FileHandle

        private init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "waybill-nginx-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "put"),
                withIntermediateDirectories: true
            )
            try FileManager.default.createDirectory(
                at: folder.appending(path: "zipped"),
                withIntermediateDirectories: true
            )
            try TestCertificates.make(in: folder)
            for name in ["large", "zipped/large"] { try Self.large.write(to: folder.appending(path: name)) }
            (ports, input) = try Self.start(in: folder)
        }

        /// Starts nginx, and retries with other ports if another program has taken one of them in the meantime.
        private static func start(in folder: URL) throws -> ([Block: UInt16], FileHandle) {
            for isLast in [false, false, true] {
                let ports = try freePorts()
                let configuration = folder.appending(path: "nginx.conf")
                try Self.configuration(folder, ports).write(to: configuration, atomically: true, encoding: .utf8)
                do {
                    return (ports, try launch(in: folder))
                } catch {
                    if isLast { throw error }
                }
            }
            throw ShellError(description: "nginx was not started")
        }

        /// The content of a served file.
        static let large = Data((0..<200_000).map { UInt8(ascii: "a") + UInt8($0 % 23) })

        /// Returns the URL of a path on a server.
        func url(_ block: Block, _ path: String, scheme: String? = nil, host: String = "127.0.0.1") throws -> URL {
            let scheme = scheme ?? (block == .plain || block == .plain2 ? "http" : "https")
            return try #require(URL(string: "\(scheme)://\(host):\(ports[block] ?? 0)/\(path)"))
        }

        /// Returns the URL of a path on the server at the Unix socket.
        func socketURL(_ path: String) throws -> URL {
            let socket = file("socket").replacingOccurrences(of: "/", with: "%2F")
            return try #require(URL(string: "http+unix://\(socket)/\(path)"))
        }

        func host(_ block: Block) -> String { "127.0.0.1:\(ports[block] ?? 0)" }

        func file(_ name: String) -> String { folder.appending(path: name).path }

        func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

        /// Starts nginx with the configuration in a folder, which is removed when the returned input is closed.
        static func launch(in folder: URL) throws -> FileHandle {
            let script = """
                PATH="$PATH:/usr/sbin"
                nginx -p "$PWD" -e "$PWD/error.log" -c "$PWD/nginx.conf" || exit 1
                echo ready
                cat
                kill "$(cat nginx.pid)"
                rm -rf "$PWD"
                """
            let (input, output) = (Pipe(), Pipe())
            let process = Shell.process(script, in: folder)
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            // nginx moves to the background once it is listening.
            let line = output.fileHandleForReading.availableData
            guard line == Data("ready\n".utf8) else {
                let log = (try? String(contentsOfFile: folder.path + "/error.log", encoding: .utf8)) ?? ""
                throw ShellError(description: "nginx did not start: \(log)")
            }
            return input.fileHandleForWriting
        }

        /// Returns ports that were free a moment ago.
        private static func freePorts() throws -> [Block: UInt16] {
            // All ports are bound before the first is released, so that they are distinct.
            let listeners = try Block.allCases.map { ($0, try Socket.listening()) }
            return Dictionary(uniqueKeysWithValues: listeners.map { ($0.0, $0.1.port) })
        }

        private static func configuration(_ folder: URL, _ ports: [Block: UInt16]) -> String {
            let tls = Block.allCases.filter { $0 != .plain && $0 != .plain2 }.map { block in
                let isClient = block == .client
                let certificate = isClient || block == .older || block == .brief ? "good" : block.rawValue
                let version = block == .older ? "" : "http2"
                let asks = isClient ? "ssl_client_certificate authority.pem; ssl_verify_client on;" : ""
                return """
                    server {
                      listen 127.0.0.1:\(ports[block] ?? 0) ssl \(version);
                      ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key; \(asks)
                      \(block == .brief ? "keepalive_requests 20;" : "")
                      include locations;
                    }
                    """
            }
            try? locations(folder).write(to: folder.appending(path: "locations"), atomically: true, encoding: .utf8)
            return """
                master_process off; pid nginx.pid; error_log error.log;
                events { worker_connections 512; }
                http {
                  access_log off; default_type text/plain; absolute_redirect off; ssl_session_cache shared:waybill:1m;
                  client_body_temp_path temporary; proxy_temp_path temporary2; fastcgi_temp_path temporary3;
                  uwsgi_temp_path temporary4; scgi_temp_path temporary5;
                  \(tls.joined(separator: "\n"))
                  server { listen 127.0.0.1:\(ports[.plain] ?? 0); include locations; }
                  server { listen 127.0.0.1:\(ports[.plain2] ?? 0) http2; include locations; }
                  server { listen unix:\(folder.path)/socket; include locations; }
                }
                """.replacingOccurrences(of: "error_log error.log", with: "error_log \(folder.path)/error.log")
        }

        private static func locations(_ folder: URL) -> String {
            """
            root \(folder.path);
            location = /post { return 200 fine; }
            location = /where { default_type application/json; return 200 '{"target": "$request_uri", "host": "$host"}'; }
            location = /connection { return 200 "$connection $server_protocol"; }
            location = /session { return 200 "$ssl_session_reused $connection"; }
            location = /fields { return 200 "[$http_proxy_authorization]"; }
            location = /hop { return 302 /where?hopped=1; }
            location /zipped/ { gzip on; gzip_types *; gzip_min_length 1; }
            location /put/ { dav_methods PUT; client_max_body_size 0; }
            location /small/ { dav_methods PUT; client_max_body_size 1k; lingering_close off; }
            """
        }
    }

    extension Trait where Self == ConditionTrait {
        /// A trait that skips tests if nginx or openssl is missing, unless the servers are required.
        static var needsTLSServer: Self {
            .enabled(
                if: ProcessInfo.processInfo.environment["WAYBILL_REQUIRE_SERVERS"] != nil
                    || (Shell.finds("nginx") && Shell.finds("openssl")),
                "nginx or openssl is missing"
            )
        }
    }
#endif
