import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Calls that follow links from behind a proxy")
struct ProxyLinkCallTests {
    // MARK: Pages

    @Test("A cursor stored before Route.Links was declared fetches the page from the base URL's origin")
    func storedCursor() async throws {
        let server = ProxyServer.stub("http://internal:8080")
        let first = try await ProxyLink.items(ProxyServer.client(of: server)).page()
        let stored = try JSONEncoder().encode(try #require(first.next))
        let cursor = try JSONDecoder().decode(Cursor.self, from: stored)
        #expect(cursor.request.url == "http://internal:8080/v1/items?page=2")
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        #expect(try await ProxyLink.items(client).page(at: cursor).items == [2])
        #expect(server.sentURLs.last == "GET https://shop.example/v1/items?page=2")
        let current = try await ProxyLink.items(client).page().next
        #expect(current?.request.url == "https://shop.example/v1/items?page=2")
        #expect(try await ProxyLink.items(client).page(at: try #require(current)).items == [2])
    }

    @Test("A link back to the first page is detected immediately as a loop")
    func loop() async throws {
        let server = StubTransport { _ in .json(#"{"items": [1], "next": "http://internal:8080/v1/items"}"#) }
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        let error = await failure { try await ProxyLink.items(client).all.collect() }
        guard case .pagination(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .loop)
        #expect(server.requests.count == 1)
    }

    @Test("A link without the list's query keeps that query, as for links on the client's origin")
    func keptQuery() async throws {
        let server = ProxyServer.stub("http://internal:8080")
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        let items: Endpoint<[Int]> = client.endpoint {
            GET("items")
            Query("tag", "a")
            Envelope("items")
            Paginated(.next(at: "next", keepsQuery: true))
        }
        #expect(try await items.all.collect() == [1, 2])
        #expect(server.sentURLs.last == "GET https://shop.example/v1/items?page=2&tag=a")
    }

    @Test("An anchor on another origin refers to the page only if origins are replaced", arguments: [true, false])
    func anchor(isDeclared: Bool) async throws {
        let internalPage = "http://internal:8080/v1/list"
        let server = StubTransport { request in
            guard request.query == nil else { return .json("[2]") }
            let links = [
                "<\(internalPage)?page=9>; rel=next; anchor=\"http://internal:8080/v1/others\"",
                "<\(internalPage)?page=2>; rel=next; anchor=\"\(internalPage)\"",
            ]
            return .json("[1]").header("Link", links.joined(separator: ", "))
        }
        let client = ProxyServer.client(of: server) { if isDeclared { Route.Links(to: .baseOrigin) } }
        let list: Endpoint<[Int]> = client.endpoint {
            GET("list")
            Paginated(.link())
        }
        #expect(try await list.all.collect() == (isDeclared ? [1, 2] : [1]))
        #expect(server.requests.dropFirst().map(\.query) == (isDeclared ? ["page=2"] : []))
    }

    @Test("A page on an origin that Paginated allows is requested from there without the credential")
    func allowedOrigin() async throws {
        let server = ProxyServer.stub("https://cdn.example")
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        let items = ProxyLink.items(client, otherOrigins: ["https://cdn.example"])
        #expect(try await items.all.collect() == [1, 2])
        #expect(server.sentURLs.last == "GET https://cdn.example/v1/items?page=2")
        #expect(server.requests.last?.headerFields[.authorization] == nil)
    }

    @Test("A redirect from a page on an allowed origin stays on that origin")
    func redirectOfAllowedOrigin() async throws {
        let server = StubTransport { request in
            switch request.url.absoluteString {
            case "https://shop.example/v1/items": .json(#"{"items": [1], "next": "https://cdn.example/a"}"#)
            case "https://cdn.example/a": .redirect(to: "/b")
            default: .json(#"{"items": [2]}"#)
            }
        }
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        let items = ProxyLink.items(client, otherOrigins: ["https://cdn.example"])
        #expect(try await items.all.collect() == [1, 2])
        #expect(server.sentURLs.last == "GET https://cdn.example/b")
    }

    // MARK: Redirects

    @Test("A redirect keeps its method, body and secret fields and satisfies the .sameOrigin policy")
    func redirect() async throws {
        let server = StubTransport { request in
            request.path == "/v1/old" ? .redirect(to: "http://internal/v1/new", status: 307) : .json("1")
        }
        let client = ProxyServer.client(of: server) {
            Route.Links(to: .baseOrigin)
            Redirects(.sameOrigin)
            Header("X-Key", "k3y", secret: true)
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            POST("old")
            Body([1])
        }
        #expect(try await endpoint.send() == 1)
        #expect(server.sentURLs == ["POST https://shop.example/v1/old", "POST https://shop.example/v1/new"])
        #expect(server.requests.last?.text == "[1]")
        #expect(server.requests.last?.headerFields["X-Key"] == "k3y")
        #expect(server.requests.last?.headerFields[.authorization] == "Bearer \(ProxyServer.token)")
    }

    @Test("A redirect that changes only the origin is a loop, and the error suggests the fix")
    func redirectLoop() async throws {
        let server = StubTransport { _ in .redirect(to: "https://shop.example/v1/a", status: 301) }
        let url = try #require(URL(string: "http://shop.example/v1"))
        let client = ProxyServer.client(of: server, at: url) { Route.Links(to: .baseOrigin) }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(
            error?.description == """
                GET a got no response: the redirects form a loop: back to http://shop.example/v1/a; its Location is on \
                https://shop.example, and Route.Links(to: .baseOrigin) keeps the origin of the client; make a client \
                for https://shop.example, or declare Route.Links(to: .linkedOrigin)
                  http://shop.example/v1/a
                """
        )
        #expect(server.requests.count == 1)
    }

    @Test("An endpoint with .linkedOrigin follows a redirect to another origin without the credential")
    func download() async throws {
        let server = StubTransport { request in
            request.path == "/v1/export" ? .redirect(to: "https://storage.example/export?sig=a") : .json("1")
        }
        let client = ProxyServer.client(of: server) { Route.Links(to: .baseOrigin) }
        let export: Endpoint<Int> = client.endpoint {
            GET("export")
            Route.Links(to: .linkedOrigin)
        }
        #expect(try await export.send() == 1)
        #expect(server.sentURLs.last == "GET https://storage.example/export?sig=a")
        #expect(server.requests.last?.headerFields[.authorization] == nil)
    }

    // MARK: Uploads and declarations

    @Test("An upload whose token contains an internal URL resumes at the base URL's origin")
    func uploadToken() async throws {
        let url = try #require(URL(string: "http://shop.example/v1"))
        let server = ProxyServer.stub("http://internal:8080")
        let saved = Locked<Resumable.Token?>(nil)
        let plain = ProxyLink.upload(ProxyServer.client(of: server, at: url))
        try await plain.send(resuming: nil) { token in saved.withLock { $0 = token } }
        #expect(server.sentURLs.last == "PATCH http://internal:8080/v1/uploads/1")
        let token = try #require(saved.withLock { $0 })
        let client = ProxyServer.client(of: server, at: url) { Route.Links(to: .baseOrigin) }
        try await ProxyLink.upload(client).send(resuming: token) { _ in }
        #expect(
            server.sentURLs.suffix(2) == [
                "HEAD http://shop.example/v1/uploads/1", "PATCH http://shop.example/v1/uploads/1",
            ]
        )
    }

    @Test("Route.Links appears in the explanation, and declaring it twice in a scope is a declaration error")
    func declaration() throws {
        let client = ProxyServer.client(of: StubTransport([:])) { Route.Links(to: .baseOrigin) }
        #expect(try ProxyLink.items(client).explanation.contains("Route.Links: baseOrigin"))
        let twice: Endpoint<Int> = client.endpoint {
            GET("a")
            Route.Links(to: .baseOrigin)
            Route.Links(to: .linkedOrigin)
        }
        let error = #expect(throws: APIError.self) { try twice.plan() }
        #expect(
            error?.description.contains(
                "Route.Links(linkedOrigin): the same scope declares it twice; keep one"
            ) == true
        )
    }
}
