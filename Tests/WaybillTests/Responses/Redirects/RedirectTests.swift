import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Redirects")
struct RedirectTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let method: String
        var hasBody: Bool
        let status: HTTPResponse.Status
        let location: String
        /// The second request as `METHOD url body`.
        let request: String

        init(_ status: HTTPResponse.Status, _ method: String, _ request: String, location: String = "/v1/b") {
            testDescription = "\(status.code) \(method) to \(location)"
            self.status = status
            self.method = method
            self.location = location
            self.request = request
            hasBody = method != "GET" && method != "HEAD"
        }
    }

    @Test(
        "A redirect follows the method and body rules of RFC 9110 and RFC 10008, and its target resolves per RFC 3986",
        arguments: [
            Row(301, "GET", "GET https://shop.example/v1/b"), Row(301, "HEAD", "HEAD https://shop.example/v1/b"),
            Row(301, "POST", "GET https://shop.example/v1/b"), Row(301, "PUT", "PUT https://shop.example/v1/b {}"),
            Row(301, "PATCH", "PATCH https://shop.example/v1/b {}"),
            Row(302, "GET", "GET https://shop.example/v1/b"), Row(302, "HEAD", "HEAD https://shop.example/v1/b"),
            Row(302, "POST", "GET https://shop.example/v1/b"),
            Row(302, "DELETE", "DELETE https://shop.example/v1/b {}"),
            Row(303, "GET", "GET https://shop.example/v1/b"), Row(303, "HEAD", "HEAD https://shop.example/v1/b"),
            Row(303, "POST", "GET https://shop.example/v1/b"), Row(303, "PUT", "GET https://shop.example/v1/b"),
            Row(303, "DELETE", "GET https://shop.example/v1/b"),
            Row(303, "POST", "GET https://shop.example/v1/a", location: "/v1/a"),
            Row(307, "HEAD", "HEAD https://shop.example/v1/b"), Row(307, "POST", "POST https://shop.example/v1/b {}"),
            Row(308, "POST", "POST https://shop.example/v1/b {}"),
            Row(308, "PATCH", "PATCH https://shop.example/v1/b {}"),
            Row(301, "QUERY", "QUERY https://shop.example/v1/b {}"),
            Row(302, "QUERY", "QUERY https://shop.example/v1/b {}"),
            Row(303, "QUERY", "GET https://shop.example/v1/b"),
            Row(307, "QUERY", "QUERY https://shop.example/v1/b {}"),
            Row(308, "QUERY", "QUERY https://shop.example/v1/b {}"),
            Row(307, "GET", "GET https://shop.example/v1/c?x=1", location: "c?x=1"),
            Row(307, "GET", "GET https://shop.example/c", location: "../c"),
            Row(307, "GET", "GET https://shop.example/v1/a?y", location: "?y"),
            Row(307, "GET", "GET https://other.example/z", location: "//other.example/z"),
        ]
    )
    func follows(_ row: Row) async throws {
        let stub = StubTransport { request in
            request.url.path == "/v1/a" && request.query == nil && request.method.rawValue == row.method
                ? .redirect(to: row.location, status: row.status) : .status(204)
        }
        let endpoint = Endpoint(
            client: Shop(stub).client,
            scopes: [scope(row)],
            target: RequestBuilder.Target(),
            reader: ValueReader<Void>.ignoring
        )
        let response = try await endpoint.response()
        let last = try #require(stub.requests.last)
        #expect(
            "\(last.method) \(last.url.absoluteString)\(last.body.isEmpty ? "" : " " + last.text)" == row.request
        )
        #expect(response.url == last.url)
        #expect(last.template == "a")
        let fields = last.headerFields.map(\.name.canonicalName).filter { $0 != "accept" }.sorted()
        let content = ["content-language", "content-type", "digest", "last-modified"]
        // A request that changes to GET loses its content fields. Any other request keeps them.
        #expect(fields == (last.method == .get && row.method != "GET" ? [] : row.hasBody ? content : []) + ["x-lang"])
    }

    @Test(
        "A redirect that changes the method to GET drops preconditions, key and expectation; others keep them",
        arguments: [301, 302, 303, 307, 308] as [HTTPResponse.Status],
        ["POST", "PUT", "PATCH", "DELETE", "QUERY", "GET"]
    )
    func conditions(_ status: HTTPResponse.Status, method: String) async throws {
        let stub = StubTransport { $0.path == "/v1/a" ? .redirect(to: "/v1/b", status: status) : .status(204) }
        let names = [
            "If-Match", "If-None-Match", "If-Unmodified-Since", "If-Modified-Since", "If-Range", "Range", "Expect",
            "Idempotency-Key", "X-Lang",
        ]
        var scope = Scope()
        Route(method, "a").declare(in: &scope)
        if method == "QUERY" { Body([String: Int]()).declare(in: &scope) }
        for name in names { Header(name, "x").declare(in: &scope) }
        let endpoint = Endpoint(
            client: Shop(stub).client,
            scopes: [scope],
            target: RequestBuilder.Target(),
            reader: ValueReader<Void>.ignoring
        )
        _ = try await endpoint.response()
        let last = try #require(stub.requests.last)
        let isReplaced = method != "GET" && last.method == .get
        #expect(isReplaced == (status == 303 && method != "GET" || method == "POST" && status.code < 303))
        let kept = last.headerFields.map(\.name.description).filter(names.contains)
        #expect(kept.sorted() == (isReplaced ? ["X-Lang"] : names.sorted()))
    }

    @Test(
        "A redirect that changes the method to GET drops declared conditions and the generated key",
        arguments: [IdempotencyKey(), IdempotencyKey(header: "X-Request-Key")]
    )
    func declaredConditions(key: IdempotencyKey) async throws {
        let tag = try #require(HTTPField.EntityTag(opaqueTag: "v1"))
        let stub = StubTransport { request in
            if request.path == "/v1/a" { return .redirect(to: "/v1/b", status: 303) }
            return request.headerFields[.ifMatch] == nil ? .json("1") : .status(412)
        }
        let endpoint: Endpoint<Int> = Shop(stub).endpoint {
            PATCH("a")
            Body(["name": "Bo"])
            IfMatch(tag)
            key
        }
        #expect(try await endpoint.send() == 1)
        #expect(stub.requests.map { $0.headerFields.contains(.ifMatch) } == [true, false])
        #expect(stub.requests.map { key.name.map($0.headerFields.contains) } == [true, false])
    }

    private func scope(_ row: Row) -> Scope {
        var scope = Scope()
        Route(row.method, "a").declare(in: &scope)
        Header("X-Lang", "en").declare(in: &scope)
        if row.hasBody {
            Body([String: Int]()).declare(in: &scope)
            for name in ["Content-Language", "Digest", "Last-Modified"] { Header(name, "x").declare(in: &scope) }
        }
        return scope
    }

    @Test("A redirect to another origin and back drops secrets and keeps other fields")
    func secrets() async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/v1/a": .redirect(to: "/v1/b")
            case "/v1/b": .redirect(to: "https://other.example/c")
            case "/c": .redirect(to: "https://shop.example/v1/d")
            default: .status(204)
            }
        }
        let client = Client(Shop.url, transport: stub) {
            Authorization(.bearer("t"))
            Secret("X-Session")
            Header(.cookie, "c=1")
            Header("Proxy-Authorization", "p")
            Header("Host", "shop.example")
            Header("X-Key", "k", secret: true)
            Header("X-Session", "s")
            Header("X-Lang", "en")
        }
        _ = try await client.head("a")
        let sent = stub.requests.map { request in
            request.headerFields.map(\.name.canonicalName).filter { $0 != "accept" }.sorted().joined(separator: " ")
        }
        let all = "authorization cookie host proxy-authorization x-key x-lang x-session"
        #expect(sent == [all, all, "x-lang", "x-lang"])
    }

    @Test(
        "For secrets and Redirects(.sameOrigin), an origin is a scheme, host and port",
        arguments: [
            ("https://shop.example/v1", "https://shop.example:443/b", true),
            ("https://shop.example/v1", "HTTPS://SHOP.example/b", true),
            ("https://shop.example:8443/v1", "//shop.example:8443/b", true),
            ("http://shop.example/v1", "http://shop.example:80/b", true),
            ("http://shop.example/v1", "https://shop.example/b", false),
            ("https://shop.example/v1", "https://shop.example:8443/b", false),
            ("https://shop.example:8443/v1", "https://shop.example/b", false),
            ("https://shop.example/v1", "https://api.shop.example/b", false),
            ("https://shop.example/v1", "https://shop.example.evil.example/b", false),
            ("https://shop.example/v1", "https://evil.example/shop.example/b", false),
        ]
    )
    func origins(base: String, location: String, isSame: Bool) async throws {
        let url = try #require(URL(string: base))
        for policy in [Redirects.Policy.follow, .sameOrigin] {
            let stub = StubTransport { request in
                request.path == "/v1/a" ? .redirect(to: location) : .json("1")
            }
            let client = Client(url, transport: stub) {
                Authorization(.bearer("t"))
                Redirects(policy)
            }
            let error = await failure { try await client.get("a", as: Int.self) }
            #expect((error == nil) == (isSame || policy == .follow))
            #expect(stub.requests.dropFirst().allSatisfy { $0.headerFields.contains(.authorization) == isSame })
        }
    }

    @Test("A redirect with several equal Location fields is followed")
    func agreeingLocations() async throws {
        let stub = StubTransport { request in
            request.path == "/v1/a" ? .redirect(to: "/v1/b").header("Location", "/v1/b") : .json("1")
        }
        #expect(try await Shop(stub).client.get("a", as: Int.self) == 1)
    }

    @Test("A redirect declared as success or without a target is returned as the response under any policy")
    func responses() async throws {
        for policy in [Redirects.Policy.follow, .sameOrigin, .reject] {
            let stub = StubTransport { _ in .redirect(to: "https://other.example/b", status: 303) }
            let success: Endpoint<Void> = Shop(stub).endpoint {
                POST("a")
                Success(303)
                Redirects(policy)
            }
            let response = try await success.response()
            #expect(response.status == 303)
            #expect(response.url(in: .location)?.absoluteString == "https://other.example/b")
        }
        let leadingNowhere: [StubResponse] = [
            .status(302), .redirect(to: "/v1/b", status: 300), .redirect(to: "/v1/b", status: 304),
            .redirect(to: "/v1/b", status: 305),
        ]
        for stubbed in leadingNowhere {
            let stub = StubTransport { _ in stubbed }
            let error = await failure {
                try await Shop(stub) { Redirects(.reject) }.client.get("a", as: Int.self)
            }
            #expect(error?.status == stubbed.status)
        }
    }
}
