import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

@Suite("API keys")
struct APIKeyTests {
    static let inHeader: [Authorization.Credential] = [
        .apiKey("s3cret &1", header: "X-Shop-Key"), .apiKey(header: "X-Shop-Key") { "s3cret &1" },
    ]
    static let inQuery: [Authorization.Credential] = [
        .apiKey("s3cret &1", query: "shopkey"), .apiKey(query: "shopkey") { "s3cret &1" },
    ]

    @Test("An API key replaces a header field of the same name from an outer scope", arguments: inHeader)
    func header(_ credential: Authorization.Credential) async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) { Header("x-shop-key", "old") }
        _ = try await client.get("a", as: Int.self) { Authorization(credential) }
        let request = try #require(stub.requests.first)
        #expect(request.headerFields["X-Shop-Key"] == "s3cret &1")
        #expect(!request.headerFields.contains(.authorization))
    }

    @Test(
        "An API key replaces a declared query item of the same name and is not part of the plan",
        arguments: inQuery,
        [
            ("a", "?shopkey=s3cret%20%261"), ("a?shopkey=old&x=1", "?x=1&shopkey=s3cret%20%261"),
            ("a?x=%20&&y", "?x=%20&y&shopkey=s3cret%20%261"), ("a?shop%6Bey=1", "?shopkey=s3cret%20%261"),
            ("a?shopkey", "?shopkey=s3cret%20%261"),
        ]
    )
    func query(_ credential: Authorization.Credential, _ row: (path: String, query: String)) async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) { Authorization(credential) }
        let endpoint: Endpoint<Int> = client.endpoint { GET(at: "/v1/\(row.path)") }
        let response = try await endpoint.response()
        #expect(stub.requests.map(\.url.absoluteString) == ["https://shop.example/v1/a" + row.query])
        #expect(response.url.absoluteString == "https://shop.example/v1/\(row.path)")
        #expect(try endpoint.url.absoluteString == "https://shop.example/v1/\(row.path)")
    }

    @Test("A middleware does not see an API key in the query")
    func middleware() async throws {
        struct Spy: Middleware {
            let urls = Notes<String>()

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                urls.add(request.url.absoluteString)
                return try await next(request)
            }
        }
        let spy = Spy()
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }) {
            Authorization(.apiKey("s3cret", query: "shopkey"))
            Use(spy)
            Use(spy, around: .eachAttempt)
        }
        _ = try await client.get("a", as: Int.self)
        #expect(spy.urls.all == ["https://shop.example/v1/a", "https://shop.example/v1/a"])
    }

    @Test("An API key does not appear in any text of a failed call", arguments: inHeader + inQuery)
    func texts(_ credential: Authorization.Credential) async throws {
        let stub = StubTransport { request in
            .json(
                """
                {"error":"no s3cret &1 at \(request.url.absoluteString)","fields":\
                "\(request.headerFields.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))"}
                """,
                status: 403
            )
        }
        let texts = Notes<String>()
        let client = Client(Shop.url, transport: stub) {
            Authorization(credential)
            Observe { texts.add("\($0)") }
            Observe(RequestLog(.headers) { texts.add($0) })
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            // A field or query item with the key's name is equally secret.
            switch credential.place {
            case .query(let name): Query(name, "s3cret")
            case .field(let name): Header(name, "s3cret")
            case .authorization: Query("q", 1)
            }
        }
        let error = try #require(await failure { try await endpoint.send() })
        for text in try [
            "\(error)", "\(endpoint)", endpoint.explanation, endpoint.curl(), "\(endpoint.plan())", "\(credential)",
            "\(Authorization(credential))", "\(client)",
        ] + texts.all {
            #expect(!text.contains("s3cret"), "\(text)")
        }
        #expect("\(error)".contains("‹redacted›"))
    }

    @Test("A call's curl command puts the API key in the header field or the query")
    func curl() throws {
        let client = Client(Shop.url, transport: StubTransport([:]))
        func command(_ credential: Authorization.Credential, revealing: Bool = false) throws -> String {
            let endpoint: Endpoint<Int> = client.endpoint {
                GET("a")
                Authorization(credential)
            }
            return try endpoint.curl(revealingSecrets: revealing).replacingOccurrences(
                of: " \\\n  --header 'Accept: application/json'",
                with: ""
            )
        }
        let url = "curl --request GET 'https://shop.example/v1/a"
        #expect(try command(Self.inHeader[0]) == "\(url)' \\\n  --header 'X-Shop-Key: ‹redacted›'")
        #expect(try command(Self.inHeader[0], revealing: true) == "\(url)' \\\n  --header 'X-Shop-Key: s3cret &1'")
        #expect(try command(Self.inHeader[1]) == "\(url)' \\\n  --header 'X-Shop-Key: ‹fetched when sent›'")
        #expect(try command(Self.inQuery[0]) == "\(url)?shopkey=‹redacted›'")
        #expect(try command(Self.inQuery[0], revealing: true) == "\(url)?shopkey=s3cret%20%261'")
        #expect(try command(Self.inQuery[1]) == "\(url)?shopkey=‹fetched when sent›'")
        let digest = Authorization.Credential.digest(user: "bo", password: "s3cret")
        #expect(try command(digest) == "\(url)' \\\n  --digest \\\n  --user 'bo:‹redacted›'")
        #expect(try command(digest, revealing: true) == "\(url)' \\\n  --digest \\\n  --user 'bo:s3cret'")
    }

    @Test(
        "An API key is sent with redirects within the origin but not to another origin",
        arguments: inHeader + inQuery
    )
    func redirects(_ credential: Authorization.Credential) async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/v1/a": .redirect(to: "b?x=1")
            case "/v1/b": .redirect(to: "https://other.example/c")
            case "/c": .redirect(to: "https://shop.example/v1/d")
            default: .json("1")
            }
        }
        let client = Client(Shop.url, transport: stub) { Authorization(credential) }
        let response = try await client.endpoint(Int.self) { GET("a") }.response()
        let hasKey = stub.requests.map {
            "\($0.url.absoluteString) \($0.headerFields["X-Shop-Key"] ?? "")".contains("s3cret")
        }
        #expect(hasKey == [true, true, false, false])
        #expect(response.url.absoluteString == "https://shop.example/v1/d")
    }

    @Test("An API key is not sent with a page request to another origin", arguments: inHeader + inQuery)
    func pages(_ credential: Authorization.Credential) async throws {
        let stub = StubTransport { request in
            request.url.host == "cdn.example"
                ? .json(#"{"items":[2]}"#) : .json(#"{"items":[1],"next":"https://cdn.example/x"}"#)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(credential) }
        let endpoint: Endpoint<[Int]> = client.endpoint {
            GET("items")
            Envelope("items")
            Paginated(.next(at: "next"), otherOrigins: ["https://cdn.example"])
        }
        #expect(try await endpoint.all.collect() == [1, 2])
        let hasKey = stub.requests.map {
            "\($0.url.absoluteString) \($0.headerFields["X-Shop-Key"] ?? "")".contains("s3cret")
        }
        #expect(hasKey == [true, false])
    }

    @Test(
        "An API key with an invalid field or query name is a declaration error",
        arguments: [
            Authorization.Credential.apiKey("s3cret", header: "X API Key"), .apiKey("s3cret", header: ""),
            .apiKey("s3cret", header: "Host"),
            .apiKey("s3cret", header: "content-length"), .apiKey("s3cret", query: ""), .apiKey(query: "") { "s3cret" },
        ]
    )
    func declarationErrors(_ credential: Authorization.Credential) async {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) { Authorization(credential) }
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .request(let failure) = error else {
            Issue.record("expected a declaration error, not \(String(describing: error))")
            return
        }
        #expect(failure.declarationErrors.map(\.clause) == ["Authorization"])
        #expect(!"\(failure)".contains("s3cret"))
        #expect(stub.requests.isEmpty)
    }

    @Test("A call whose API key is invalid or unavailable sends nothing")
    func failures() async {
        let stub = StubTransport { _ in .json("1") }
        struct Locked: Error {}
        for credential in [
            Authorization.Credential.apiKey(header: "X-Key") { "s3c\r\nret" }, .apiKey(query: "k") { throw Locked() },
        ] {
            let client = Client(Shop.url, transport: stub) { Authorization(credential) }
            let error = await failure { try await client.get("a", as: Int.self) }
            guard case .authorization(let failure) = error else {
                Issue.record("expected an authorization failure")
                continue
            }
            #expect(!failure.wasRejected)
            #expect(!"\(failure)".contains("s3c"))
        }
        #expect(stub.requests.isEmpty)
    }
}
