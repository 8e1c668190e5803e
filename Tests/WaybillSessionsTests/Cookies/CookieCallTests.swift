import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillSessions
import WaybillTesting

@Suite("Cookies of calls")
struct CookieCallTests {
    private let url: URL

    init() throws { url = try #require(URL(string: "https://shop.example/api")) }

    private func sent(_ stub: StubTransport) -> [String?] { stub.requests.map { $0.headerFields[.cookie] } }

    @Test("All clients with the jar, and no others, store and send its cookies, even in redirects")
    func jar() async throws {
        let stub = StubTransport([
            "POST login": .redirect(to: "/api/login").header("Set-Cookie", "session=1; Path=/api"),
            "GET login": .json("1"), "GET posts": .json("1"),
            "POST logout": .status(204).header("Set-Cookie", "session=; Max-Age=0; Path=/api"),
        ])
        let jar = CookieJar()
        let client = Client(url, transport: stub) { Cookies(jar) }
        let login: Endpoint<Int> = client.endpoint {
            POST("login")
            Body(form: ["user": "me"])
        }
        #expect(try await login.send() == 1)
        _ = try await Client(url, transport: stub) { Cookies(jar) }.get("posts", as: Int.self)
        _ = try await Client(url, transport: stub).get("posts", as: Int.self)
        let none: Endpoint<Int> = client.endpoint {
            GET("posts")
            Cookies.none
        }
        _ = try await none.send()
        let logout: Endpoint<Void> = client.endpoint { POST("logout") }
        try await logout.send()
        _ = try await client.get("posts", as: Int.self)
        #expect(sent(stub) == [nil, "session=1", "session=1", nil, nil, "session=1", nil])
    }

    @Test("A redirect to another site gets that site's cookies, except those with SameSite=Strict")
    func otherSite() async throws {
        let stub = StubTransport { request in
            switch request.url.host() {
            case "shop.example": .redirect(to: "https://other.example/x")
            default: .json("1")
            }
        }
        let jar = CookieJar([
            CookieJar.Cookie("own", "1", domain: "shop.example"),
            CookieJar.Cookie("lax", "1", domain: "other.example", sameSite: .lax),
            CookieJar.Cookie("silent", "1", domain: "other.example"),
            CookieJar.Cookie("strict", "1", domain: "other.example", sameSite: .strict),
            CookieJar.Cookie(
                "none",
                "1",
                domain: "other.example",
                isSecure: true,
                sameSite: CookieJar.Cookie.SameSite.none
            ),
        ])
        let client = Client(url, transport: stub) {
            Cookies(jar)
            Success(200)
        }
        _ = try await client.get("a", as: Int.self)
        #expect(sent(stub) == ["own=1", "lax=1; silent=1; none=1"])
    }

    @Test(
        "A redirect to another scheme or sibling domain is cross-site, but one to a parent or subdomain is not",
        arguments: [
            ("http://shop.example", "https://shop.example/x", nil),
            ("https://shop.example", "https://a.shop.example/x", "strict=1"),
            ("https://a.shop.example", "https://shop.example/x", "strict=1"),
            ("https://a.shop.example", "https://b.shop.example/x", nil),
        ]
    )
    func sites(base: String, target: String, expected: String?) async throws {
        let stub = StubTransport { request in
            request.url.path() == "/x" ? .json("1") : .redirect(to: target)
        }
        let jar = CookieJar([
            CookieJar.Cookie("strict", "1", domain: "shop.example", isHostOnly: false, sameSite: .strict)
        ])
        let client = Client(try #require(URL(string: base)), transport: stub) { Cookies(jar) }
        _ = try await client.get("a", as: Int.self)
        #expect(sent(stub) == ["strict=1", expected])
    }

    @Test("If a transport follows a redirect itself, cookies are stored for the responding URL")
    func followedByTransport() async throws {
        let other = try #require(URL(string: "https://other.example/x"))
        let jar = CookieJar()
        let client = Client(url, transport: ResponderElsewhere(url: other)) { Cookies(jar) }
        _ = try await client.get("a", as: Int.self)
        #expect(jar.cookies.map(\.domain) == ["other.example"])
    }

    @Test("With an unsafe method, another site receives and sets only SameSite=None cookies")
    func otherSiteChanges() async throws {
        let stub = StubTransport { request in
            guard request.url.host() == "shop.example" else {
                return .json("1").header("Set-Cookie", "lax=2; SameSite=Lax; Path=/")
                    .header("Set-Cookie", "none=2; SameSite=None; Secure; Path=/")
            }
            return .redirect(to: "https://other.example/x", status: 307)
        }
        let jar = CookieJar([CookieJar.Cookie("lax", "1", domain: "other.example")])
        let events = EventList()
        let client = Client(url, transport: stub) {
            Cookies(jar)
            Observe(events)
        }
        let endpoint: Endpoint<Int> = client.endpoint { POST("a") }
        _ = try await endpoint.send()
        #expect(sent(stub) == [nil, nil])
        #expect(jar.cookies.map { "\($0.name)=\($0.value)" } == ["lax=1", "none=2"])
        #expect(events.rejections == [CookieJar.Rejection(name: "lax", reason: .otherSite)])
    }

    @Test(
        "The CSRF token is repeated with unsafe methods, unless the header field is declared",
        arguments: [
            (HTTPRequest.Method.get, nil, nil), (.post, nil, "t0ken"), (.delete, nil, "t0ken"), (.head, nil, nil),
            (.post, "own", "own"),
        ] as [(HTTPRequest.Method, String?, String?)]
    )
    func token(method: HTTPRequest.Method, declared: String?, expected: String?) async throws {
        let stub = StubTransport { _ in .status(204) }
        let jar = CookieJar([CookieJar.Cookie("csrftoken", "t0ken", domain: "shop.example")])
        let client = Client(url, transport: stub) { Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken") }
        let endpoint: Endpoint<Void> = client.endpoint {
            Route(method.rawValue, "a")
            Header("X-CSRFToken", declared)
        }
        try await endpoint.send()
        let name = try #require(HTTPField.Name("X-CSRFToken"))
        #expect(stub.requests.map { $0.headerFields[name] } == [expected])
    }

    @Test(
        "A percent-encoded CSRF token is decoded for the header field, and other values are unchanged",
        arguments: [
            ("eyJpdiI6%3D%3D", "eyJpdiI6=="), ("a+b/c", "a+b/c"), ("100%", "100%"), ("a%zz", "a%zz"),
            ("a%0D%0AX-Evil:1", "a%0D%0AX-Evil:1"), ("%FF", "%FF"),
        ]
    )
    func encodedToken(value: String, expected: String) async throws {
        let stub = StubTransport { _ in .status(204) }
        let jar = CookieJar([CookieJar.Cookie("XSRF-TOKEN", value, domain: "shop.example")])
        let client = Client(url, transport: stub) { Cookies(jar, csrfToken: "XSRF-TOKEN", in: "X-XSRF-TOKEN") }
        let endpoint: Endpoint<Void> = client.endpoint { POST("a") }
        try await endpoint.send()
        let name = try #require(HTTPField.Name("X-XSRF-TOKEN"))
        #expect(stub.requests.map { $0.headerFields[name] } == [expected])
        #expect(sent(stub) == ["XSRF-TOKEN=\(value)"])
    }

    @Test("The CSRF token does not follow a redirect to another origin")
    func tokenStays() async throws {
        let stub = StubTransport { request in
            request.url.host() == "shop.example" ? .redirect(to: "https://x.shop.example/b", status: 307) : .status(204)
        }
        let jar = CookieJar([CookieJar.Cookie("t", "1", domain: "shop.example", isHostOnly: false)])
        let client = Client(url, transport: stub) { Cookies(jar, csrfToken: "t", in: "X-T") }
        let endpoint: Endpoint<Void> = client.endpoint { POST("a") }
        try await endpoint.send()
        let name = try #require(HTTPField.Name("X-T"))
        #expect(stub.requests.map { $0.headerFields[name] } == ["1", nil])
        #expect(sent(stub) == ["t=1", "t=1"])
    }

    @Test("A declared cookie is sent first and replaces the jar's cookie of the same name")
    func declared() async throws {
        let stub = StubTransport { _ in .status(204) }
        let jar = CookieJar([
            CookieJar.Cookie("theme", "dark", domain: "shop.example"),
            CookieJar.Cookie("id", "7", domain: "shop.example"),
        ])
        let client = Client(url, transport: stub) { Cookies(jar) }
        let endpoint: Endpoint<Void> = client.endpoint {
            GET("a")
            Header(.cookie, "theme=light; font=big")
        }
        try await endpoint.send()
        #expect(sent(stub) == ["theme=light; font=big; id=7"])
    }

    @Test("An invalid header field name is a declaration error, and nothing is sent")
    func invalidField() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(url, transport: stub) { Cookies(CookieJar(), csrfToken: "t", in: "X T") }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        let error = await #expect(throws: APIError.self) { try await endpoint.send() }
        #expect("\(try #require(error))".contains(#"Cookies(csrfToken: "t", in: "X T")"#))
        #expect(stub.requests.isEmpty)
    }

    @Test("A jar's cookies keep cached responses and shared transfers apart")
    func caching() async throws {
        let stub = StubTransport { _ in .json("1").header("Cache-Control", "max-age=60") }
        let jar = CookieJar([CookieJar.Cookie("session", "alice", domain: "shop.example")])
        let client = Client(url, transport: stub) {
            Cookies(jar)
            Cached(in: HTTPCache(maximumBytes: 100_000))
            Coalesced()
        }
        _ = try await client.get("a", as: Int.self)
        _ = try await client.get("a", as: Int.self)
        #expect(sent(stub) == ["session=alice"])
        jar.insert(CookieJar.Cookie("session", "bob", domain: "shop.example"))
        _ = try await client.get("a", as: Int.self)
        #expect(sent(stub) == ["session=alice", "session=bob"])
    }

    @Test(
        "No redirect error contains a sent or received cookie value that the server puts into a URL"
    )
    func secretsOfRedirects() async throws {
        for value in ["s3cr3t-value", "n3xt-value"] {
            let stub = StubTransport { _ in
                .redirect(to: "http://shop.example/s/\(value)/").header("Set-Cookie", "next=n3xt-value")
            }
            let jar = CookieJar([CookieJar.Cookie("session", "s3cr3t-value", domain: "shop.example")])
            let client = Client(url, transport: stub) { Cookies(jar) }
            let error = await #expect(throws: APIError.self) { try await client.get("a", as: Int.self) }
            #expect("\(try #require(error))".contains("http://shop.example/s/"))
            #expect(!"\(try #require(error))".contains(value))
        }
    }

    @Test("No error or event contains a cookie value, not even one repeated by the server")
    func secrets() async throws {
        let stub = StubTransport { _ in
            .text("session s3cr3t-value and t0ken-value", status: 500).header(
                "Set-Cookie",
                "next=n3xt-value; Domain=foreign"
            )
        }
        let events = EventList()
        let jar = CookieJar([
            CookieJar.Cookie("session", "s3cr3t-value", domain: "shop.example"),
            CookieJar.Cookie("t", "t0ken-value", domain: "shop.example"),
        ])
        let client = Client(url, transport: stub) {
            Cookies(jar, csrfToken: "t", in: "X-T")
            Observe(events)
        }
        let endpoint: Endpoint<Void> = client.endpoint { POST("a") }
        let error = await #expect(throws: APIError.self) { try await endpoint.send() }
        var dumped = "\(try #require(error))"
        dump(error, to: &dumped)
        dumped += events.texts
        for value in ["s3cr3t", "t0ken-value", "n3xt"] { #expect(!dumped.contains(value)) }
    }
}

/// Records the events of calls.
private final class EventList: CallObserver {
    private let events = Locked<[CallEvent]>([])

    func observe(_ event: CallEvent) { events.withLock { $0.append(event) } }

    var rejections: [CookieJar.Rejection] {
        events.withLock { $0 }.compactMap {
            if case .noted(let note) = $0.kind { note as? CookieJar.Rejection } else { nil }
        }
    }

    var texts: String {
        var text = ""
        for event in events.withLock({ $0 }) {
            text += "\(event) \(event.headerFields)"
            dump(event, to: &text)
        }
        return text
    }
}

/// A transport whose responses come from a URL other than the request's.
private struct ResponderElsewhere: Transport {
    let url: URL

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: HTTPBody(Data("1".utf8)))
        response.headerFields.append(HTTPField(name: .setCookie, value: "a=1; Path=/"))
        response.url = url
        return response
    }
}
