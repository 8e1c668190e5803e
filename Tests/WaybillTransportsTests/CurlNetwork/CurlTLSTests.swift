import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    @Suite("CurlTransport: TLS", .needsTLSServer, .inTurn, .safetyNet)
    struct CurlTLSTests {
        private let server: TLSServer

        init() throws { server = try TLSServer.shared.get() }

        struct Row: CustomTestStringConvertible {
            let testDescription: String
            var block = TLSServer.Block.good
            var scheme: String?
            /// A text that the failure's message must contain; nil for a response.
            var cause: String?
            var status: HTTPResponse.Status = 200
            var host = "127.0.0.1"
            let change: @Sendable (inout CurlTransport.TLS, TLSServer) throws -> Void

            init(
                _ testDescription: String,
                _ block: TLSServer.Block = .good,
                scheme: String? = nil,
                host: String = "127.0.0.1",
                status: HTTPResponse.Status = 200,
                cause: String? = nil,
                _ change: @escaping @Sendable (inout CurlTransport.TLS, TLSServer) throws -> Void = { _, _ in }
            ) {
                self.testDescription = testDescription
                self.block = block
                self.scheme = scheme
                self.host = host
                self.status = status
                self.cause = cause
                self.change = change
            }
        }

        private static func certificate(password: String?) -> @Sendable (inout CurlTransport.TLS, TLSServer) -> Void {
            { tls, server in
                tls.clientCertificate = CurlTransport.TLS.ClientCertificate(
                    certificate: .file(server.file("client.pem")),
                    privateKey: .file(server.file("client.key")),
                    password: password
                )
            }
        }

        private static func pins(_ sums: [String], withOwn: Bool)
            -> @Sendable (inout CurlTransport.TLS, TLSServer) throws -> Void
        {
            { tls, server in
                let own = String(decoding: try server.bytes("good.pin"), as: UTF8.self)
                tls.pinnedPublicKeys = sums + (withOwn ? [own] : [])
            }
        }

        private static let otherPin = Data(repeating: 7, count: 32).base64EncodedString()

        @Test(
            "Certificates decide whether a TLS call succeeds, and an error names the host and the cause",
            arguments: [
                Row("an authority in a file"), Row("a host by its name", host: "localhost"),
                Row("an authority as bytes") { $0.trust = .authorities(.bytes(try $1.bytes("authority.pem"))) },
                Row("the system's trust", cause: "certificate") { tls, _ in tls.trust = .system },
                Row("an expired certificate", .expired, cause: "expired"),
                Row("another host's certificate", .elsewhere, cause: "match"),
                Row("a pinned key", .good, pins([], withOwn: true)),
                Row("one of two pinned keys", .good, pins([otherPin], withOwn: true)),
                Row("another pinned key", cause: "public key", pins([otherPin], withOwn: false)),
                Row("a pinned key that is not trusted", cause: "certificate") { tls, server in
                    try pins([], withOwn: true)(&tls, server)
                    tls.trust = .system
                },
                Row("a client's certificate", .client, certificate(password: TestCertificates.password)),
                Row("a client's certificate as bytes", .client) { tls, server in
                    tls.clientCertificate = CurlTransport.TLS.ClientCertificate(
                        certificate: .bytes(try server.bytes("client.pem")),
                        privateKey: .bytes(try server.bytes("client.key")),
                        password: TestCertificates.password
                    )
                },
                Row("no client's certificate", .client, status: 400),
                Row("a wrong password", .client, cause: "client.key", certificate(password: "wrong")),
                Row("a missing password", .client, cause: "client.key", certificate(password: nil)),
                Row("TLS to a server without it", .plain, scheme: "https", cause: "wrong version number"),
                Row("no TLS where there is some", .good, scheme: "http", status: 400),
            ]
        )
        func respondsOrFails(_ row: Row) async throws {
            let configuration = try CurlTransport.Configuration.with {
                $0.tls.trust = .authorities(.file(server.file("authority.pem")))
                try row.change(&$0.tls, server)
            }
            let transport = try CurlTransport(configuration)
            let url = try server.url(row.block, "where", scheme: row.scheme, host: row.host)
            if let cause = row.cause {
                let error = await transport.failure(url)
                #expect(error?.kind == .secureConnectionFailed)
                #expect(error?.phase == .securing)
                #expect(error?.message.contains(server.host(row.block)) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
            } else {
                #expect(try await transport.get(url).response.status == row.status)
            }
            // The next call succeeds.
            #expect(try await transport.get(server.url(.plain, "where")).response.status == 200)
        }

        private func transport(
            _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
        ) throws -> CurlTransport {
            try CurlTransport(
                .with {
                    $0.tls.trust = .authorities(.file(server.file("authority.pem")))
                    change(&$0)
                }
            )
        }

        @Test("CurlTransport reuses a TLS connection", arguments: [TLSServer.Block.good, .older])
        func reuses(_ block: TLSServer.Block) async throws {
            let transport = try transport()
            var connections: Set<String> = []
            for _ in 0..<5 {
                connections.insert(try await transport.get(server.url(block, "connection")).text)
            }
            #expect(connections.count == 1)
        }

        @Test("A new HTTP/1.1 connection resumes an earlier TLS session")
        func resumes() async throws {
            let transport = try transport { $0.connections.idle = 0 }
            var sessions: [String] = []
            for _ in 0..<3 { sessions.append(try await transport.get(server.url(.older, "session")).text) }
            #expect(sessions.map { $0.prefix(1) } == [".", "r", "r"])
        }

        @Test("After a TLS failure at one server, the transport gets a response from another")
        func goesOn() async throws {
            let transport = try CurlTransport(
                .with { $0.tls.trust = .authorities(.file(server.file("authority.pem"))) }
            )
            for _ in 0..<3 {
                #expect(await transport.failure(try server.url(.expired, "where"))?.kind == .secureConnectionFailed)
                #expect(try await transport.get(server.url(.good, "where")).response.status == 200)
            }
        }
    }
#endif
