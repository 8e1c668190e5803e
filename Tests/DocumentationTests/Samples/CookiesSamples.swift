import Foundation
import Testing
import Waybill
import WaybillTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of one host, in memory.
actor CookieJar {
    private let host: String
    private var cookies: [HTTPCookie] = []

    init(for url: URL) { host = url.host() ?? "" }

    /// The value of `Cookie` for a URL; nil if there is nothing to send.
    func field(for url: URL) -> String? {
        guard url.host() == host else { return nil }
        let path = url.path(percentEncoded: true)
        let matching = cookies.filter { cookie in
            Self.matches(path.isEmpty ? "/" : path, cookie.path) && (!cookie.isSecure || url.scheme == "https")
                && cookie.expiresDate ?? .distantFuture > .now
        }
        // Longer paths first, and older cookies first among equals (RFC 6265, section 5.4).
        let sent = matching.enumerated().sorted { left, right in
            (right.element.path.count, left.offset) < (left.element.path.count, right.offset)
        }.map(\.element)
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Whether a cookie of a path is sent to another path: to itself and below itself (RFC 6265, section 5.1.4).
    private static func matches(_ path: String, _ cookiePath: String) -> Bool {
        guard path.hasPrefix(cookiePath) else { return false }
        let rest = path.dropFirst(cookiePath.count)
        return rest.isEmpty || rest.first == "/" || cookiePath.hasSuffix("/")
    }

    /// Stores the cookies that a response sets, and removes those that it deletes.
    func take(_ fields: HTTPFields, from url: URL) {
        guard url.host() == host else { return }
        for value in fields[values: .setCookie] {
            for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url) {
                let domain = cookie.domain.hasPrefix(".") ? cookie.domain : "." + cookie.domain
                guard ("." + host).hasSuffix(domain) else { continue }
                let known = cookies.firstIndex { $0.name == cookie.name && $0.path == cookie.path }
                let age = (cookie.properties?[.maximumAge] as? String).flatMap(Int.init)
                let isKept = age ?? 1 > 0 && cookie.expiresDate ?? .distantFuture > .now
                if let known { cookies.remove(at: known) }
                if isKept { cookies.insert(cookie, at: known ?? cookies.endIndex) }  // it keeps its age
            }
        }
    }
}

struct Cookies: Middleware {
    let jar: CookieJar

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        var request = request
        if let field = await jar.field(for: request.url) { request.headerFields[.cookie] = field }
        let response = try await next(request)
        await jar.take(response.headerFields, from: response.url ?? request.url)
        return response
    }
}

private struct Forum: API {
    let client: Client

    func logIn(_ user: String, _ password: String) -> Endpoint<Void> {
        endpoint {
            POST("login")
            Body(form: ["user": user, "password": password])
            Success(302)  // the redirect sets the cookie, and is not followed
        }
    }
}

@Suite("Cookies.md")
struct CookiesSamples {
    private let url = Sample.url

    @Test("The cookie of a login is sent with later calls until the server removes it")
    func session() async throws {
        let client = Client(url) {
            Use(Cookies(jar: CookieJar(for: url)))
        }
        #expect(client.url == url)
        let stub = StubTransport([
            "POST login": .redirect(to: "/home").header("Set-Cookie", "session=1; Path=/; Secure; HttpOnly")
                .header("Set-Cookie", "theme=dark; Path=/shop"),
            "GET posts": .json("1"),
            "GET shop": .json("1"),
            "POST logout": .status(204).header("Set-Cookie", "session=; Max-Age=0; Path=/"),
        ])
        let forum = Forum(
            client: Client(url, transport: stub) {
                Use(Cookies(jar: CookieJar(for: url)))
            }
        )
        _ = try await forum.client.get("posts", as: Int.self)
        try await forum.logIn("me", "secret").send()
        _ = try await forum.client.get("posts", as: Int.self)
        _ = try await forum.client.get("shop", as: Int.self)
        let logout: Endpoint<Void> = forum.client.endpoint { POST("logout") }
        try await logout.send()
        _ = try await forum.client.get("posts", as: Int.self)
        #expect(
            stub.requests.map { $0.headerFields[.cookie] } == [
                nil, nil, "session=1", "theme=dark; session=1", "session=1", nil,
            ]
        )
    }

    @Test(
        "A jar holds what its host may set, and sends it where it belongs",
        arguments: [
            ("a=1", "/", "a=1"), ("a=1; Path=/x", "/", nil), ("a=1; Path=/x", "/x", "a=1"),
            ("a=1; Path=/x", "/x/y", "a=1"), ("a=1; Path=/x", "/xy", nil), ("a=1; Path=/x/", "/x", nil),
            ("a=1; Path=/x/", "/x/y", "a=1"), ("a=1; Path=/x", "/x/", "a=1"), ("a=1; Path=/x", "/x?y", "a=1"),
            ("a=1; Domain=shop.example", "/", "a=1"), ("a=1; Domain=other.example", "/", nil),
            ("a=1; Domain=op.example", "/", nil), ("a=1; Max-Age=0", "/", nil), ("a=1; Max-Age=9", "/", "a=1"),
            ("a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "/", nil),
        ] as [(String, String, String?)]
    )
    func jar(field: String, path: String, sent: String?) async throws {
        let jar = CookieJar(for: url)
        await jar.take([HTTPField(name: .setCookie, value: field)], from: url)
        let target = try #require(URL(string: path, relativeTo: url)).absoluteURL
        #expect(await jar.field(for: target) == sent)
        let other = try #require(URL(string: "https://other.example\(path)"))
        #expect(await jar.field(for: other) == nil)
    }

    @Test("Cookies of longer paths are sent first, then older ones, and a changed cookie keeps its age")
    func order() async throws {
        let jar = CookieJar(for: url)
        for field in ["a=1; Path=/", "b=1; Path=/x", "c=1; Path=/", "d=1; Path=/x/y", "e=1; Path=/x", "a=2; Path=/"] {
            await jar.take([HTTPField(name: .setCookie, value: field)], from: url)
        }
        let target = try #require(URL(string: "/x/y", relativeTo: url)).absoluteURL
        #expect(await jar.field(for: target) == "d=1; b=1; e=1; a=2; c=1")
    }

    @Test("A secure cookie is not sent without TLS")
    func secure() async throws {
        let jar = CookieJar(for: url)
        await jar.take([HTTPField(name: .setCookie, value: "a=1; Secure")], from: url)
        #expect(await jar.field(for: url) == "a=1")
        #expect(await jar.field(for: try #require(URL(string: "http://shop.example"))) == nil)
    }

    @Test("A session id that the app has is a credential in Cookie")
    func credential() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(url, transport: stub) {
            Authorization(.apiKey(header: "Cookie") { "session=7" })
        }
        _ = try await client.get("a", as: Int.self)
        #expect(stub.requests.map { $0.headerFields[.cookie] } == ["session=7"])
    }
}
