import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill

    @testable import WaybillTesting
    @testable import WaybillCurl

    @Suite("CurlTransport: proxies", .inTurn, .safetyNet)
    struct CurlProxyTests {
        /// `user:secret` in Base64.
        private static let credentials = "Basic dXNlcjpzZWNyZXQ="

        private func transport(
            _ scheme: String,
            _ port: some BinaryInteger,
            except exceptions: [String] = [],
            trusting authority: String? = nil
        ) throws -> CurlTransport {
            let url = try #require(URL(string: "\(scheme)://user:secret@127.0.0.1:\(port)"))
            return try CurlTransport(
                .with {
                    $0.proxy = .url(url, except: exceptions)
                    if let authority { $0.tls.trust = .authorities(.file(authority)) }
                }
            )
        }

        @Test("A call without TLS goes to the proxy with the absolute URL and the proxy's credentials")
        func forwards() async throws {
            try await LoopbackServer.run(StubResponses().otherwise(.text("forwarded"))) { proxy async throws in
                let transport = try transport("http", try #require(proxy.url.port))
                let url = try #require(URL(string: "http://origin.example/things?page=2"))
                #expect(try await transport.get(url).text == "forwarded")
                let request = try #require(proxy.requests.first)
                #expect(request.wire?.requestLine == "GET http://origin.example/things?page=2 HTTP/1.1")
                #expect(request.headerFields[.proxyAuthorization] == Self.credentials)
                #expect(request.headerFields[.host] == "origin.example")
            }
        }

        @Test(
            "A TLS call goes through the proxy's tunnel, and the origin receives no proxy credentials",
            .needsTLSServer
        )
        func tunnels() async throws {
            let server = try TLSServer.shared.get()
            let proxy = try TunnelProxy(.http)
            defer { proxy.stop() }
            let transport = try transport("http", proxy.port, trusting: server.file("authority.pem"))
            #expect(try await transport.get(server.url(.good, "fields")).text == "[]")
            #expect(try await transport.get(server.url(.good, "connection")).text.hasSuffix("HTTP/2.0"))
            #expect(proxy.lines.filter { $0.hasPrefix("CONNECT") } == ["CONNECT \(server.host(.good)) HTTP/1.1"])
            #expect(proxy.lines.contains("Proxy-Authorization: \(Self.credentials)"))
            #expect(await transport.failure(try server.url(.expired, "where"))?.kind == .secureConnectionFailed)
        }

        @Test(
            "A SOCKS proxy receives the credentials and the host or address, and the origin receives no credentials",
            arguments: [
                ("socks5", "127.0.0.1"), ("socks5h", "localhost"),
            ]
        )
        func socks(_ scheme: String, _ host: String) async throws {
            let proxy = try TunnelProxy(.socks5)
            defer { proxy.stop() }
            try await LoopbackServer.run(["GET it": .text("fine")]) { origin async throws in
                let transport = try transport(scheme, proxy.port)
                let port = try #require(origin.url.port)
                let url = try #require(URL(string: "http://\(host):\(port)/it"))
                #expect(try await transport.get(url).text == "fine")
                #expect(proxy.lines == ["user:secret \(host):\(port)"])
                #expect(origin.requests.first?.wire?.requestLine == "GET /it HTTP/1.1")
                #expect(origin.requests.first?.headerFields[.proxyAuthorization] == nil)
            }
        }

        @Test(
            "A call to an excepted host bypasses the proxy",
            arguments: [["127.0.0.1"], ["a.example", "127.0.0.1"]]
        )
        func excepts(_ exceptions: [String]) async throws {
            try await LoopbackServer.run(["GET it": .text("fine")]) { origin async throws in
                let (reserved, port) = try Socket.bound()
                defer { withExtendedLifetime(reserved) {} }
                let transport = try transport("http", port, except: exceptions)
                #expect(try await transport.get(origin.url.appending(path: "it")).text == "fine")
                #expect(origin.requests.first?.headerFields[.proxyAuthorization] == nil)
            }
        }

        @Test(
            "A missing proxy is a connection error that does not show the password",
            arguments: ["http", "socks5", "socks5h", "socks4"]
        )
        func isMissing(_ scheme: String) async throws {
            let (reserved, port) = try Socket.bound()
            defer { withExtendedLifetime(reserved) {} }
            let transport = try transport(scheme, port, except: ["other.example"])
            for url in ["http://127.0.0.1:1/it", "https://127.0.0.1:1/it"] {
                let error = await transport.failure(try #require(URL(string: url)))
                #expect(error?.kind == .cannotConnect, "\(String(describing: error))")
                #expect(error?.message.hasPrefix("127.0.0.1:1 cannot be reached") == true)
                #expect(error?.message.contains("127.0.0.1 port \(port)") == true)
                #expect(error?.message.contains("secret") == false)
            }
        }

        @Test(
            "A proxy's rejection is a connection error before anything is sent",
            arguments: [
                (TunnelProxy.Kind.http, "http", "407"), (.socks5, "socks5", "SOCKS"),
            ]
        )
        func rejects(_ kind: TunnelProxy.Kind, _ scheme: String, _ cause: String) async throws {
            let proxy = try TunnelProxy(kind, rejects: true)
            defer { proxy.stop() }
            let transport = try transport(scheme, proxy.port)
            let error = await transport.failure(try #require(URL(string: "https://127.0.0.1:1/it")))
            #expect(error?.kind == .cannotConnect, "\(String(describing: error))")
            #expect(error?.phase?.isBeforeSending == true)
            #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("secret") == false)
        }

        @Test("The environment sets the proxy, unless the transport is configured to use none")
        func environment() async {
            // In a separate process, because the environment is process-wide.
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.run(StubResponses().otherwise(.text("proxy"))) { proxy async throws in
                    try await LoopbackServer.run(StubResponses().otherwise(.text("origin"))) { origin async throws in
                        setenv("http_proxy", proxy.url.absoluteString, 1)
                        unsetenv("no_proxy")
                        unsetenv("NO_PROXY")
                        let url = origin.url.appending(path: "it")
                        #expect(try await CurlTransport().get(url).text == "proxy")
                        #expect(try await CurlTransport(.with { $0.proxy = .none }).get(url).text == "origin")
                        setenv("no_proxy", "127.0.0.1", 1)
                        #expect(try await CurlTransport().get(url).text == "origin")
                    }
                }
            }
        }

        @Test("Each environment variable sets the proxy for its scheme, or the exceptions")
        func variables() async {
            await #expect(processExitsWith: .success) {
                let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
                let proxy = try TunnelProxy(.http, rejects: true)
                defer { proxy.stop() }
                let (reserved, port) = try Socket.bound()
                defer { withExtendedLifetime(reserved) {} }
                let there = "http://127.0.0.1:\(proxy.port)"
                let nowhere = "http://127.0.0.1:1"
                // The variables, and the schemes proxied with them.
                let rows: [(variables: [String: String], proxied: [String])] = [
                    ([:], []),
                    (["http_proxy": there], ["http"]),
                    // In a CGI script, a client can set this variable with a header field.
                    (["HTTP_PROXY": there], []),
                    (["https_proxy": there], ["https"]), (["HTTPS_PROXY": there], ["https"]),
                    (["all_proxy": there], ["http", "https"]), (["ALL_PROXY": there], ["http", "https"]),
                    (["all_proxy": nowhere, "https_proxy": there], ["https"]),
                    (["all_proxy": there, "no_proxy": "127.0.0.1"], []),
                    (["all_proxy": there, "NO_PROXY": "a.example,127.0.0.1"], []),
                    (["all_proxy": there, "no_proxy": "*"], []),
                    (["all_proxy": there, "no_proxy": "a.example"], ["http", "https"]),
                ]
                for row in rows {
                    for name in names + names.map({ $0.uppercased() }) { unsetenv(name) }
                    for (name, value) in row.variables { setenv(name, value, 1) }
                    for scheme in ["http", "https"] {
                        let before = proxy.lines.count
                        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/it"))
                        _ = try? await CurlTransport().get(url)
                        let line = scheme == "http" ? "GET \(url) HTTP/1.1" : "CONNECT 127.0.0.1:\(port) HTTP/1.1"
                        let first = proxy.lines.dropFirst(before).first
                        #expect(first == (row.proxied.contains(scheme) ? line : nil), "\(row.variables)")
                    }
                }
            }
        }
    }
#endif
