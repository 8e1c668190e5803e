import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Links from a server behind a proxy")
struct ProxyLinkTests {
    private static let base = "https://shop.example/v1/"

    /// Origins that a server behind a proxy might write.
    static let origins = [
        "http://internal:8080", "http://shop.example", "https://internal.example", "//internal:8080",
        "https://shop.example:8443", "http://[::1]:8080",
    ]

    /// Returns the requests with URLs relative to the base URL.
    private func based(_ requests: [String]) -> [String] {
        requests.map { $0.replacing(" ", with: " \(Self.base)", maxReplacements: 1) }
    }

    @Test(
        "With .baseOrigin, each kind of link is requested at the base URL's origin with the credential",
        arguments: ProxyLink.allCases,
        origins
    )
    func baseOrigin(_ kind: ProxyLink, origin: String) async throws {
        let server = ProxyServer.stub(origin)
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        try await kind.send(with: client, linkedOrigin: origin)
        #expect(server.sentURLs == based(kind.requests))
        #expect(server.requests.allSatisfy { $0.headerFields[.authorization] == "Bearer \(ProxyServer.token)" })
    }

    @Test(
        "Without .baseOrigin, a link from https to http is an error that suggests the clause, and is not requested",
        arguments: ProxyLink.allCases,
        [false, true]
    )
    func linkedOrigin(_ kind: ProxyLink, isDeclared: Bool) async throws {
        let origin = "http://internal:8080"
        let server = ProxyServer.stub(origin)
        let client = ProxyServer.client(of: server) {
            if isDeclared {
                Style("proxied") { Route.Links(to: .baseOrigin) }
                Route.Links(to: .linkedOrigin)
            }
        }
        let error = await failure { try await kind.send(with: client, linkedOrigin: origin) }
        #expect(error?.description.contains(proxyAdvice) == true, "\(error?.description ?? "no error")")
        #expect(server.sentURLs == based(Array(kind.requests.dropLast(kind == .operation ? 2 : 1))))
    }

    @Test("Relative links and links on the client's origin are unchanged", arguments: ProxyLink.allCases)
    func ownOrigin(_ kind: ProxyLink) async throws {
        for origin in ["https://shop.example", ""] {
            let server = ProxyServer.stub(origin)
            let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
            try await kind.send(with: client, linkedOrigin: origin)
            #expect(server.sentURLs == based(kind.requests))
        }
    }

    @Test("A client for a Unix domain socket follows links that its server writes with a host name")
    func unixSocket() async throws {
        let url = try #require(URL(string: "http+unix://%2Ftmp%2Fshop.sock/v1"))
        let server = ProxyServer.stub("http://localhost")
        let client = ProxyServer.client(of: server, at: url) { Route.Links(to: .baseOrigin) }
        #expect(try await ProxyLink.items(client).all.collect() == [1, 2])
        #expect(server.sentURLs.last == "GET http+unix://%2Ftmp%2Fshop.sock/v1/items?page=2")
    }

    // MARK: The parts of a link

    @Test(
        "A link keeps its path, query and fragment but loses its user information",
        arguments: [
            ("http://internal/v1/items?page=2", "https://shop.example/v1/items?page=2"),
            ("http://internal/other/items?page=2", "https://shop.example/other/items?page=2"),
            ("http://internal:80?page=2", "https://shop.example?page=2"),
            ("http://internal", "https://shop.example"), ("http://internal/#a", "https://shop.example/#a"),
            ("http://internal//evil.example/x", "https://shop.example//evil.example/x"),
            ("http://internal/@evil.example:1/", "https://shop.example/@evil.example:1/"),
            ("http://user:secret@internal/a", "https://shop.example/a"),
            ("http://internal/a%2F..%3Fb?c=%23&d=//e?f", "https://shop.example/a%2F..%3Fb?c=%23&d=//e?f"),
            ("https://shop.example/v1/a", "https://shop.example/v1/a"),
            ("https://SHOP.example:443/v1/a", "https://SHOP.example:443/v1/a"),
        ]
    )
    func parts(link: String, requested: String) throws {
        var settings = Scope.Settings()
        let url = try #require(URL(string: link))
        #expect(settings.target(of: url, base: Shop.url) == url)
        settings.merge(setting: Route.Links(to: .baseOrigin))
        #expect(settings.target(of: url, base: Shop.url).absoluteString == requested)
    }

    @Test(
        "A malicious link is requested at the base URL's origin or not at all",
        arguments: [
            "http://internal\\@evil.example/", "http://evil.example#@shop.example/", "http:///evil.example/",
            "\\\\evil.example/a", "http://evil.example:99999/", "http://evil%2Eexample/", "http:evil.example",
            "https://shop.example@evil.example/", "https://shop.example.evil.example/", "ftp://evil.example/",
            "http://evil.example%00.shop.example/", "javascript:alert(1)", "//evil.example\t/a", "http://évil.example/",
            "http+unix://%2Ftmp%2Fother.sock/a", "/\\evil.example", "//", "https://",
            "http://evil.example?@shop.example",
        ]
    )
    func hostile(link: String) async throws {
        let server = StubTransport { request in
            request.query == nil && request.path == "/v1/items"
                ? .json(#"{"items": [1], "next": \#(JSONValue.string(link))}"#) : .json(#"{"items": [2]}"#)
        }
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        _ = await failure { try await ProxyLink.items(client).all.collect() }
        let redirecting = StubTransport { request in
            request.path == "/v1/old" ? .status(302).header("Location", link) : .json("1")
        }
        _ = try? await ProxyServer.client(of: redirecting) { Route.Links(to: .baseOrigin) }.get("old", as: Int.self)
        let origin = HTTPRequest.Origin(Shop.url)
        #expect((server.requests + redirecting.requests).allSatisfy { HTTPRequest.Origin($0.url) == origin })
        #expect((server.requests + redirecting.requests).allSatisfy { $0.url.user == nil })
    }

    @Test("User information in a redirect or upload link is rejected")
    func userInfo() async throws {
        let server = ProxyServer.stub("http://user:s3cret@internal")
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        for kind in [ProxyLink.redirect, .upload] {
            let error = await failure { try await kind.send(with: client, linkedOrigin: "") }
            #expect(error?.description.contains("a user") == true)
            #expect(error?.description.contains("s3cret") == false)
        }
        #expect(server.requests.count == 2)
    }
}

/// A server that writes links with a given origin, and clients for it.
enum ProxyServer {
    static let token = "t0ken-of-the-client"

    static func stub(_ origin: String) -> StubTransport {
        StubTransport { request in ProxyLink.response(to: request, linkedOrigin: origin) }
    }

    static func client(
        of stub: StubTransport,
        at url: URL = Shop.url,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Client {
        Client(url, transport: stub, clock: SkippingClock()) {
            Authorization(.bearer(token))
            clauses()
        }
    }
}

extension StubTransport {
    /// The methods and URLs of the received requests.
    var sentURLs: [String] { requests.map { "\($0.method) \($0.url.absoluteString)" } }
}
