import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting
    import WaybillCurl

    @Suite("CurlTransport: Unix sockets", .needsTLSServer, .inTurn, .safetyNet)
    struct CurlSocketTests {
        private struct Place: Codable, Sendable, Equatable {
            let target: String
            let host: String
        }

        private let server: TLSServer
        private let transport: CurlTransport

        init() throws {
            server = try TLSServer.shared.get()
            transport = try CurlTransport()
        }

        @Test("A call goes to the Unix socket in the URL's host, with path and query unchanged")
        func calls() async throws {
            let url = try server.socketURL("where?a=1%202&b")
            let (response, text) = try await transport.get(url)
            #expect(try JSONDecoder().decode(Place.self, from: Data(text.utf8)).target == "/where?a=1%202&b")
            #expect(response.url == url)
        }

        @Test("A client with a Unix socket URL calls an endpoint and follows a relative redirect")
        func redirects() async throws {
            let client = Client(try server.socketURL(""), transport: transport)
            let direct: Endpoint<Place> = client.endpoint {
                GET("where")
                Query("page", 2)
            }
            #expect(try await direct.send() == Place(target: "/where?page=2", host: "localhost"))
            let hopping: Endpoint<Place> = client.endpoint {
                GET("hop")
                Redirects(.follow)
            }
            #expect(try await hopping.send() == Place(target: "/where?hopped=1", host: "localhost"))
        }

        @Test("A redirect from the network to a Unix socket is rejected")
        func rejectsRedirect() async throws {
            let target = try server.socketURL("where").absoluteString
            try await LoopbackServer.run(["GET a": .redirect(to: target)]) { origin async throws in
                let client = Client(origin.url, transport: transport)
                let endpoint: Endpoint<Place> = client.endpoint {
                    GET("a")
                    Redirects(.follow)
                }
                let error = await failure { try await endpoint.send() }
                let text = "\(try #require(error))"
                #expect(text.contains("the redirect was rejected"), "\(text)")
            }
        }

        @Test("A missing Unix socket is a connection error that names its path")
        func isMissing() async throws {
            let error = await transport.failure(try #require(URL(string: "http+unix://%2Fnowhere%2Fsocket/where")))
            #expect(error?.kind == .cannotConnect)
            #expect(error?.phase == .connecting)
            #expect(error?.message.contains("/nowhere/socket") == true, "\(error?.message ?? "")")
            #expect(try await transport.get(server.socketURL("where")).response.status == 200)
        }

        @Test("Calls to a Unix socket and to a host do not share connections")
        func keepsApart() async throws {
            for _ in 0..<3 {
                let atSocket = try await transport.get(server.socketURL("where")).text
                let atHost = try await transport.get(server.url(.plain, "where")).text
                #expect(atSocket.contains("localhost"))
                #expect(atHost.contains("127.0.0.1"))
            }
        }
    }
#endif
