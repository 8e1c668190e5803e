import CallSupport
import TestSupport

#if os(Linux)
    import Foundation
    import Testing
    import Waybill

    @testable import WaybillTesting

    /// A server without TLS behind an nginx with TLS.
    ///
    /// The server writes links with the origin given in the request.
    final class ProxiedServer: Sendable {
        /// The nginx servers, each with a different forwarding configuration and port.
        enum Block: String, CaseIterable, Sendable {
            /// `Host` is the server's address, which is the default.
            case ownHost
            /// `Host` is the request's host, without the scheme.
            case sameHost
            /// `Host` is a name known only to the proxy.
            case internalHost
            /// The request's scheme and host are in `X-Forwarded-Proto` and `X-Forwarded-Host`.
            case forwarding

            fileprivate var directives: String {
                switch self {
                case .ownHost: ""
                case .sameHost: "proxy_set_header Host $http_host;"
                case .internalHost: "proxy_set_header Host internal.invalid:8080;"
                case .forwarding:
                    "proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host $http_host;"
                }
            }
        }

        /// The server behind nginx, which records its requests.
        let server: LoopbackServer
        private let folder: URL
        private let ports: [Block: UInt16]
        /// The input of a shell that waits for the end of its input and then stops nginx.
        private let input: FileHandle

        init() throws {
            server = try LoopbackServer { request in
                let scheme = request.headerFields["X-Forwarded-Proto"] ?? "http"
                let host = request.headerFields["X-Forwarded-Host"] ?? request.headerFields[.host] ?? "unknown"
                return ProxyLink.response(to: request, linkedOrigin: "\(scheme)://\(host)")
            }
            folder = FileManager.default.temporaryDirectory.appending(path: "waybill-proxy-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try TestCertificates.make(in: folder)
            ports = try Self.freePorts()
            let text = Self.configuration(folder, ports, of: server.url)
            try text.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            input = try TLSServer.launch(in: folder)
        }

        /// The path of the certificate authority's file.
        var authority: String { folder.appending(path: "authority.pem").path }

        func url(_ block: Block) throws -> URL {
            try #require(URL(string: "https://127.0.0.1:\(ports[block] ?? 0)/v1"))
        }

        func stop() {
            try? input.close()
            server.stop()
        }

        /// Returns ports that were free a moment ago.
        private static func freePorts() throws -> [Block: UInt16] {
            // All ports are bound before the first is released, so that they are distinct.
            let listeners = try Block.allCases.map { ($0, try Socket.listening()) }
            return Dictionary(uniqueKeysWithValues: listeners.map { ($0.0, $0.1.port) })
        }

        private static func configuration(_ folder: URL, _ ports: [Block: UInt16], of server: URL) -> String {
            let blocks = ports.map { block, port in
                """
                server {
                  listen 127.0.0.1:\(port) ssl;
                  ssl_certificate good.pem; ssl_certificate_key good.key;
                  location / {
                    proxy_pass \(server.absoluteString); proxy_redirect off; proxy_set_header Via "1.1 nginx";
                    \(block.directives)
                  }
                }
                """
            }
            return """
                master_process off; pid nginx.pid; error_log \(folder.path)/error.log;
                events { worker_connections 64; }
                http {
                  access_log off; client_body_temp_path temporary; proxy_temp_path temporary2;
                  fastcgi_temp_path temporary3; uwsgi_temp_path temporary4; scgi_temp_path temporary5;
                  \(blocks.joined(separator: "\n"))
                }
                """
        }
    }
#endif
