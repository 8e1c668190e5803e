import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    @Suite("Links from a server behind nginx", .needsTLSServer, .inTurn, .safetyNet)
    struct ProxyLinkSocketTests {
        private static let token = "t0ken-of-the-client"

        /// Runs a closure with a server behind nginx.
        private func withServer(_ body: (ProxiedServer, CurlTransport) async throws -> Void) async throws {
            let server = try ProxiedServer()
            defer { server.stop() }
            let transport = try CurlTransport(
                .with { $0.tls.trust = .authorities(.file(server.authority)) }
            )
            try await body(server, transport)
        }

        private func client(
            at url: URL,
            _ transport: CurlTransport,
            @Scope.Builder _ clauses: () -> Scope = { Scope() }
        ) -> Client {
            Client(url, transport: transport) {
                Authorization(.bearer(Self.token))
                clauses()
            }
        }

        /// Returns the requests received by the server, and marks those that bypassed nginx or lack the credential.
        private func requests(_ server: ProxiedServer) -> [String] {
            server.server.requests.map { request in
                let target = request.path.dropFirst("/v1/".count) + (request.query.map { "?\($0)" } ?? "")
                let isProxied = request.headerFields["Via"] == "1.1 nginx"
                let isOwn = request.headerFields[.authorization] == "Bearer \(Self.token)"
                return "\(request.method) \(target)\(isProxied ? "" : " directly")\(isOwn ? "" : " without credential")"
            }
        }

        @Test("With .baseOrigin, every kind of link is followed through the proxy with the credential")
        func baseOrigin() async throws {
            try await withServer { server, transport in
                var expected: [String] = []
                for block in ProxiedServer.Block.allCases {
                    let url = try server.url(block)
                    for link in ProxyLink.allCases {
                        let client = client(at: url, transport) { Route.Links(to: .baseOrigin) }
                        try await link.send(with: client, linkedOrigin: "http://internal.invalid:8080")
                        expected += link.requests
                    }
                }
                #expect(requests(server) == expected)
            }
        }

        @Test("Without Route.Links, links written with http are rejected and not requested")
        func linkedOrigin() async throws {
            try await withServer { server, transport in
                var expected: [String] = []
                for block in ProxiedServer.Block.allCases where block != .forwarding {
                    let url = try server.url(block)
                    for link in ProxyLink.allCases where link != .urlOfServer {
                        let error = await failure {
                            try await link.send(with: client(at: url, transport), linkedOrigin: "")
                        }
                        #expect(error?.description.contains(proxyAdvice) == true, "\(block), \(link)")
                        expected += link.requests.prefix(1)
                    }
                }
                #expect(requests(server) == expected)
            }
        }

        @Test("Links built from X-Forwarded-Proto and X-Forwarded-Host need no Route.Links")
        func forwarding() async throws {
            try await withServer { server, transport in
                let url = try server.url(.forwarding)
                for link in ProxyLink.allCases where link != .urlOfServer {
                    try await link.send(with: client(at: url, transport), linkedOrigin: "")
                }
                let expected = ProxyLink.allCases.filter { $0 != .urlOfServer }.flatMap(\.requests)
                #expect(requests(server) == expected)
            }
        }
    }
#endif
