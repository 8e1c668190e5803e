import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

@Suite("Several credentials in one request", .inTurn, .safetyNet)
struct SeveralCredentialsTests {
    private static let basic = Authorization.Credential.basic(user: "bo", password: "pass")

    /// Responds like a server that requires a user and a session, and sends the session in its rejections, as
    /// Transmission does.
    private static func handshake(_ request: ReceivedRequest, session: String) -> StubResponse {
        guard request.headerFields[.authorization] == "Basic Ym86cGFzcw==" else { return .status(401) }
        guard request.headerFields["X-Session-Id"] == session else {
            return .text("409: Conflict", status: 409).header("X-Session-Id", session)
        }
        return .json("1")
    }

    private static func session(_ contexts: Notes<String> = Notes()) -> RefreshingToken {
        RefreshingToken(
            waitsForChallenge: true,
            rejectedBy: 409,
            when: { $0.headerFields["X-Session-Id"] != nil }
        ) { context in
            contexts.add("\(context) \(String(reflecting: context.token as Any))")
            return .init(context.headerFields["X-Session-Id"] ?? "")
        }
    }

    @Test("A session from a rejected response's header field is sent along with the user and kept")
    func handshake() async throws {
        let session = Notes<String>()
        session.add("first")
        let server = try LoopbackServer { Self.handshake($0, session: session.all.last ?? "") }
        defer { server.stop() }
        let client = Client(server.url) {
            Authorization(Self.basic, .apiKey(header: "X-Session-Id", refreshing: Self.session()))
        }
        for _ in 1...2 { #expect(try await client.post("rpc", body: 1, as: Int.self) == 1) }
        #expect(server.requests.map { $0.headerFields["X-Session-Id"] ?? "-" } == ["-", "first", "first"])
        session.add("second")
        #expect(try await client.post("rpc", body: 1, as: Int.self) == 1)
        #expect(server.requests.map { $0.headerFields["X-Session-Id"] ?? "-" }.suffix(2) == ["first", "second"])
    }

    @Test("A session for a body that cannot be resent is used in the next request, and the context redacts it")
    func unreplayable() async throws {
        let contexts = Notes<String>()
        let stub = StubTransport { Self.handshake($0, session: "s3cret-session") }
        let client = Client(Shop.url, transport: stub) {
            Authorization(Self.basic, .apiKey(header: "X-Session-Id", refreshing: Self.session(contexts)))
        }
        func upload() -> Endpoint<Int> {
            client.endpoint {
                POST("rpc")
                Body(HTTPBody(Chunks("1")), contentType: "text/plain")
            }
        }
        let error = await failure { try await upload().send() }
        #expect(error?.status == 409)
        #expect(try await upload().send() == 1)
        #expect(stub.requests.count == 2)
        #expect(contexts.all.count == 1)
        #expect(!contexts.all.joined().contains("s3cret"))
    }

    @Test("Keys in the query and a header field and a user are sent to the original origin only, and are redacted")
    func places() async throws {
        let stub = StubTransport { request in
            request.url.host == "other.example"
                ? .json("1") : .redirect(to: "https://other.example/b", status: 307)
        }
        let client = Client(Shop.url, transport: stub) {
            Authorization(
                Self.basic,
                .apiKey("key-one", query: "key"),
                .apiKey("key-two", query: "token"),
                .apiKey("key-three", header: "X-Key")
            )
            Redirects(.follow)
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try await endpoint.send() == 1)
        let (own, other) = (stub.requests[0], stub.requests[1])
        #expect(own.url.absoluteString == "https://shop.example/v1/a?key=key-one&token=key-two")
        #expect(own.headerFields["X-Key"] == "key-three")
        #expect(own.headerFields[.authorization] == "Basic Ym86cGFzcw==")
        #expect(other.url.absoluteString == "https://other.example/b")
        #expect(!other.headerFields.contains(.authorization))
        #expect(other.headerFields["X-Key"] == nil)
        let curl = try endpoint.curl()
        #expect(curl.contains("'https://shop.example/v1/a?key=‹redacted›&token=‹redacted›'"))
        #expect(curl.contains("'X-Key: ‹redacted›'"))
        #expect(curl.contains("'Authorization: Basic ‹redacted›'"))
        let explanation = try endpoint.explanation
        #expect(explanation.contains("Authorization: Basic and apiKey in ?key= and apiKey in ?token="))
        #expect(!explanation.contains("key-"))
    }

    @Test(
        "Two credentials in the same place are a declaration error that names both",
        arguments: [
            (Self.basic, Authorization.Credential.bearer("x"), "Basic, Bearer"),
            (.apiKey("a", header: "X-Key"), .apiKey("b", header: "x-key"), "apiKey in X-Key, apiKey in x-key"),
            (.apiKey("a", query: "k"), .apiKey("b", query: "k"), "apiKey in ?k=, apiKey in ?k="),
            (.digest(user: "a", password: "b"), .scheme("Token", "x"), "Digest, Token"),
        ]
    )
    func onePlace(one: Authorization.Credential, other: Authorization.Credential, names: String) throws {
        let endpoint: Endpoint<Int> = Client(Shop.url) { Authorization(one, other) }.endpoint { GET("a") }
        let error = try #require(throws: APIError.self) { try endpoint.plan() }
        #expect("\(error)".contains("Authorization(\(names)): both go into one place"), "\(error)")
    }

    @Test("Setting or removing a header field replaces only the outer credential that uses this field")
    func fields() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) {
            Authorization(Self.basic, .apiKey("key", header: "X-Key"))
        }
        func sent(@Scope.Builder _ clauses: () -> Scope) async throws -> [String] {
            _ = try await client.get("a", as: Int.self, clauses)
            let fields = stub.requests.last?.headerFields ?? []
            return [fields[.authorization] ?? "-", fields["X-Key"] ?? "-"]
        }
        #expect(try await sent { Header(removing: .authorization) } == ["-", "key"])
        #expect(try await sent { Header(.authorization, "own") } == ["own", "key"])
        #expect(
            try await sent {
                Header(removing: .authorization)
                Header("X-Key", "own")
            } == ["-", "own"]
        )
        // A removal applies only to outer scopes.
        #expect(
            try await sent {
                Authorization(.bearer("t"))
                Header(removing: .authorization)
            } == ["Bearer t", "-"]
        )
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Header(removing: .authorization)
        }
        #expect(try endpoint.explanation.contains("Authorization: apiKey in X-Key"))
        #expect(try !endpoint.curl().contains("Basic"))
    }
}
