import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Redirects")
struct RedirectTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var method = "POST"
        var body = true
        let status: HTTPResponse.Status
        var location = "/v1/b"
        /// The second request, as `METHOD url body`.
        let request: String

        init(_ status: HTTPResponse.Status, _ method: String, _ request: String, location: String = "/v1/b") {
            testDescription = "\(status.code) \(method) to \(location)"
            self.status = status
            self.method = method
            self.location = location
            self.request = request
            body = method != "GET" && method != "HEAD"
        }
    }

    @Test(
        "Method and body follow RFC 9110, section 15.4; targets are resolved by RFC 3986",
        arguments: [
            Row(301, "GET", "GET https://shop.example/v1/b"),
            Row(301, "POST", "GET https://shop.example/v1/b"),
            Row(301, "PUT", "PUT https://shop.example/v1/b {}"),
            Row(302, "POST", "GET https://shop.example/v1/b"),
            Row(302, "DELETE", "DELETE https://shop.example/v1/b {}"),
            Row(303, "PUT", "GET https://shop.example/v1/b"),
            Row(303, "HEAD", "HEAD https://shop.example/v1/b"),
            Row(307, "POST", "POST https://shop.example/v1/b {}"),
            Row(308, "POST", "POST https://shop.example/v1/b {}"),
            Row(307, "GET", "GET https://shop.example/v1/c?x=1", location: "c?x=1#fragment"),
            Row(307, "GET", "GET https://shop.example/c", location: "../c"),
            Row(307, "GET", "GET https://shop.example/v1/a?y", location: "?y"),
            Row(307, "GET", "GET https://other.example/z", location: "//other.example/z"),
        ]
    )
    func follows(_ row: Row) async throws {
        let stub = StubTransport { request in
            request.url.path == "/v1/a" && request.query == nil
                ? .redirect(to: row.location, status: row.status) : .status(204)
        }
        let endpoint = Endpoint(
            client: Shop(stub).client,
            scopes: [scope(row)],
            target: Planner.Target(),
            reader: ValueReader<Void>.ignoring
        )
        let response = try await endpoint.response()
        let last = try #require(stub.requests.last)
        #expect("\(last.method) \(last.url.absoluteString)\(last.body.isEmpty ? "" : " " + last.text)" == row.request)
        #expect(response.url == last.url)
        #expect(last.headerFields.contains(.contentType) == !last.body.isEmpty)
        #expect(last.template == "a")
    }

    private func scope(_ row: Row) -> Scope {
        var scope = Scope()
        Route(row.method, "a").declare(in: &scope)
        if row.body { Body([String: Int]()).declare(in: &scope) }
        return scope
    }

    @Test("Secrets stay at their origin; the rest goes along")
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
            Header(.cookie, "c=1")
            Header("X-Key", "k", secret: true)
            Header("X-Lang", "en")
        }
        _ = try await client.head("a")
        let sent = stub.requests.map { request in
            request.headerFields.map(\.name.canonicalName).filter { $0 != "accept" }.sorted().joined(separator: " ")
        }
        #expect(sent == ["authorization cookie x-key x-lang", "authorization cookie x-key x-lang", "x-lang", "x-lang"])
    }

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let location: String
        let text: String
    }

    @Test(
        "What is not followed is an error that says why",
        arguments: [
            Refusal(
                testDescription: "https to http",
                location: "http://shop.example/v1/b",
                text:
                    "the redirect was refused: it leads from https to http://shop.example/v1/b, which is not encrypted"
            ),
            Refusal(
                testDescription: "a file",
                location: "file:///etc/passwd",
                text: "the redirect was refused: the Location of the redirect is not an HTTP URL: file:///etc/passwd"
            ),
            Refusal(
                testDescription: "to itself",
                location: "/v1/a",
                text: "there were too many redirects: they lead in a circle back to https://shop.example/v1/a"
            ),
        ]
    )
    func refusals(_ row: Refusal) async {
        let stub = StubTransport { _ in .redirect(to: row.location) }
        let error = await failure { () async throws(APIError) in try await Shop(stub).client.get("a", as: Int.self) }
        #expect(
            error?.description == """
                GET a got no response: \(row.text)
                  https://shop.example/v1/a
                """
        )
        #expect(stub.requests.count == 1)
    }

    @Test("Ten redirects are followed, and no more")
    func limit() async {
        let stub = StubTransport { request in .redirect(to: request.path + "x") }
        let error = await failure { () async throws(APIError) in try await Shop(stub).client.get("a", as: Int.self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a transport failure")
            return
        }
        #expect(failure.error.kind == .tooManyRedirects)
        #expect(stub.requests.count == 11)
    }

    @Test("A body that cannot be produced again is not sent again")
    func streamedBody() async {
        let stub = StubTransport { _ in .redirect(to: "/v1/b", status: 307) }
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("a".utf8))
            continuation.finish()
        }
        let endpoint: Endpoint<Void> = Shop(stub).endpoint {
            PUT("a")
            Body(HTTPBody(chunks), contentType: "text/plain")
        }
        let error = await failure { () async throws(APIError) in try await endpoint.send() }
        guard case .transport(let failure) = error else {
            Issue.record("expected a transport failure")
            return
        }
        #expect(failure.error.kind == .redirectRefused)
        #expect(failure.error.message == "its body cannot be sent a second time, to https://shop.example/v1/b")
    }

    @Test("A redirect that counts as success, or leads nowhere, is an answer")
    func answers() async throws {
        let success: Endpoint<Void> = Shop(StubTransport { _ in .redirect(to: "/v1/b", status: 303) }).endpoint {
            POST("a")
            Success(303)
        }
        let response = try await success.response()
        #expect(response.status == 303)
        #expect(response.url(in: .location)?.absoluteString == "https://shop.example/v1/b")

        let stub = StubTransport { _ in .status(302) }
        let error = await failure { () async throws(APIError) in try await Shop(stub).client.get("a", as: Int.self) }
        #expect(error?.status == 302)
    }
}
