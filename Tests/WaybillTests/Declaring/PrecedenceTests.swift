import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Precedence of clauses")
struct PrecedenceTests {
    @Test("A content type in an outer scope does not override an inner body's; one in the same scope does")
    func contentType() throws {
        let shop = Shop { Header(.contentType, "application/json") }
        let png: Endpoint<Void> = shop.endpoint {
            POST("a")
            Body(Data([1]), contentType: "image/png")
        }
        #expect(try png.headerFields[.contentType] == "image/png")
        let declared: Endpoint<Void> = shop.endpoint {
            POST("a")
            Header(.contentType, "image/x-png")
            Body(Data([1]), contentType: "image/png")
        }
        #expect(try declared.headerFields[.contentType] == "image/x-png")
        let house: Endpoint<Void> = Shop { Header(.contentType, "application/vnd.shop+json") }.endpoint {
            POST("a")
            Body(1)
        }
        #expect(try house.headerFields[.contentType] == "application/vnd.shop+json")
    }

    @Test("A form is wrapped and writes null values like a JSON body")
    func forms() throws {
        struct Draft: Encodable, Sendable { var name = "Lamp", note: String? }
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("a")
            Body(Draft())
            Body.Format(under: "product", as: .form, nils: .null)
        }
        #expect(try endpoint.body == Data("product%5Bname%5D=Lamp&product%5Bnote%5D=".utf8))
    }

    @Test("Whichever of a credential and its header field is declared in the inner scope is sent")
    func credential() async throws {
        let stub = StubTransport { _ in .status(204) }
        let outer = Shop(stub) { Authorization(.bearer("outer")) }
        try await outer.endpoint {
            GET("a")
            Header(.authorization, "Token inner")
        }.send()
        try await Shop(stub) { Header(.authorization, "Token outer") }.endpoint {
            GET("b")
            Authorization(.bearer("inner"))
        }.send()
        try await Shop(stub) { Authorization(.apiKey("outer", header: "X-Key")) }.endpoint {
            GET("c")
            Header("x-key", "inner")
        }.send()
        try await outer.endpoint {
            GET("d")
            Header(.authorization, nil)
            Header("X-Other", "1")
        }.send()
        let explained: Endpoint<Void> = outer.endpoint {
            GET("a")
            Header(.authorization, "Token inner")
        }
        #expect(try explained.explanation.contains(/Authorization: none +a header field, before client: Bearer/))
        let sent = stub.requests.map { request in
            request.headerFields.filter { ["authorization", "x-key"].contains("\($0.name)".lowercased()) }.map(\.value)
        }
        #expect(sent == [["Token inner"], ["Bearer inner"], ["inner"], ["Bearer outer"]])
    }

    @Scope.EndpointBuilder private func other() -> Scope {
        DELETE("b")
        Body(1)
    }

    @Test("A second route or body in a prebuilt scope, or one on a client or resource, is a declaration error")
    func scopes() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            other()
        }
        #expect(throws: APIError.self) { try endpoint.plan() }
        let client: Endpoint<Void> = Shop { other() }.endpoint { GET("a") }
        #expect(throws: APIError.self) { try client.plan() }
        let resource: Resource<Product, ReadOnly> = Shop().resource("products") { other() }
        #expect(throws: APIError.self) { try resource.endpoints.list().plan() }
    }

    @Scope.Builder private func listing() -> Scope {
        On(.list) { Header("X-A", "1") }
    }

    @Test("An On clause in a prebuilt scope for a call that is not an operation is a declaration error")
    func operations() async {
        let error = await failure {
            try await Shop().client.get("x", as: Int.self) { listing() }
        }
        guard case .request = error else {
            Issue.record("expected a request failure, got \(String(describing: error))")
            return
        }
    }

    @Test("The first matching problem wins, starting with the innermost scope")
    func problems() async {
        struct A: Decodable, Sendable { let code: Int }
        struct B: Decodable, Sendable { let code: Int }
        struct C: Decodable, Sendable { let code: Int }
        let shop = Shop(responses: ["GET a": .json(#"{"code":1}"#, status: 400)]) { Problem(C.self) }
        let error = await failure {
            try await shop.client.get("a", as: Int.self) {
                Problem(A.self)
                Problem(B.self)
            }
        }
        #expect(error?.problem(as: A.self) != nil)
    }

    @Test("A credential is fetched for each request that middleware sends and goes to the original origin only")
    func credentialPerSend() async throws {
        actor Tokens {
            var count = 0
            func next() -> String {
                count += 1
                return "t\(count)"
            }
        }
        struct Twice: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                _ = try await next(request)
                var elsewhere = request
                elsewhere.url = URL(string: "https://other.example/") ?? Shop.url
                _ = try await next(elsewhere)
                return try await next(request)
            }
        }
        let tokens = Tokens()
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            Authorization(.bearer { await tokens.next() })
            Use(Twice())
        }
        _ = try await client.head("a")
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", nil, "Bearer t2"])
    }

    @Test("A single-use body is not resent as an empty body")
    func oneShotBody() async {
        struct Twice: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("hello".utf8))
            continuation.finish()
        }
        let endpoint: Endpoint<Void> = Shop(stub).endpoint {
            PUT("a")
            Body(HTTPBody(chunks), contentType: "text/plain")
            Use(Twice())
        }
        let error = await failure { try await endpoint.send() }
        #expect(error?.description.contains("its body cannot be sent a second time") == true)
        #expect(stub.requests.map(\.text) == ["hello"])
    }

    @Test("A loop can declare 20,000 clauses")
    func manyClauses() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            for number in 0..<20_000 { Query("n\(number)", number) }
        }
        #expect(try endpoint.url.absoluteString.hasSuffix("&n19999=19999"))
    }

    @Test("Invalid segments, page limits, content types and users are errors before sending")
    func smallMistakes() async throws {
        let halves: Endpoint<Void> = Shop().endpoint { GET("files/\(".")%2e/secret") }
        #expect(throws: APIError.self) { try halves.plan() }
        let pages: Endpoint<[Int]> = Shop().endpoint {
            GET("a")
            Paginated(.link(), maximumPages: 0)
        }
        #expect(throws: APIError.self) { try pages.plan() }
        let type: Endpoint<Void> = Shop().endpoint {
            PUT("a")
            Body(Data([1]), contentType: "image/png\nX: y")
        }
        #expect(throws: APIError.self) { try type.plan() }
        let user = await failure {
            try await Shop().client.get("a", as: Int.self) { Authorization(.basic(user: "a:b", password: "c")) }
        }
        guard case .request = user else {
            Issue.record("expected a declaration error")
            return
        }
        let everything: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Success(.codes(0...Int.max))
        }
        #expect(try everything.explanation.contains("Success"))
    }
}
