import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Authorization")
struct AuthorizationTests {
    @Test("A credential's source is called for each call, and Authorization.none sends no credential")
    func credentials() async throws {
        actor Tokens {
            var count = 0
            func next() -> String {
                count += 1
                return "t\(count)"
            }
        }
        let tokens = Tokens()
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) { Authorization(.bearer { await tokens.next() }) }
        _ = try await client.head("a")
        _ = try await client.head("a")
        try await client.endpoint {
            GET("public")
            Authorization.none
        }.send()
        try await client.endpoint {
            GET("other")
            Authorization(.scheme("Token", "abc"))
        }.send()
        #expect(
            stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", "Bearer t2", nil, "Token abc"]
        )
    }

    /// A credential whose source provides an empty secret.
    struct EmptyCredential: CustomTestStringConvertible {
        let testDescription: String
        let credential: Authorization.Credential
    }

    private static let refreshing = { @Sendable (token: String?) in
        RefreshingToken(token.map { .init($0) }) { _ in .init("") }
    }

    @Test(
        "An empty credential from a source is an authorization failure, and nothing is sent",
        arguments: [
            EmptyCredential(testDescription: "bearer", credential: .bearer { "" }),
            EmptyCredential(testDescription: "white space", credential: .bearer { " " }),
            EmptyCredential(testDescription: "scheme", credential: .scheme("Token") { "" }),
            EmptyCredential(testDescription: "field", credential: .apiKey(header: "X-Key") { "" }),
            EmptyCredential(testDescription: "query", credential: .apiKey(query: "key") { "" }),
            EmptyCredential(testDescription: "refreshed", credential: .bearer(refreshing: refreshing(nil))),
            EmptyCredential(testDescription: "first token", credential: .bearer(refreshing: refreshing(""))),
            EmptyCredential(
                testDescription: "query, refreshed",
                credential: .apiKey(query: "k", refreshing: refreshing(nil))
            ),
        ]
    )
    func empty(_ row: EmptyCredential) async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) { Authorization(row.credential) }
        let error = try #require(await failure { try await client.head("a") })
        guard case .authorization(let failure) = error else {
            Issue.record(error)
            return
        }
        let start = "the credential is empty; if its source has no credential, throw an error"
        #expect("\(failure.underlying)".hasPrefix(start))
        #expect("\(error)".contains("its credential cannot be sent"))
        #expect(stub.requests.isEmpty)
    }

    @Test("Basic credentials can have an empty user or an empty password")
    func halfEmpty() async throws {
        let stub = StubTransport { _ in .status(204) }
        for (user, password) in [("key", ""), ("", "token")] {
            let client = Client(Shop.url, transport: stub) { Authorization(.basic(user: user, password: password)) }
            _ = try await client.head("a")
        }
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Basic a2V5Og==", "Basic OnRva2Vu"])
    }

    struct LoginProblem: Decodable, LocalizedError, Equatable {
        let message: String
        var errorDescription: String? { message }
    }

    @Test("When a login call fails, the outer call's error has the login's status, problem and description")
    func login() async throws {
        let stub = StubTransport(["POST login": .json(#"{"message":"Your account is locked."}"#, status: 403)])
        let shop = Shop(stub)
        let login: Endpoint<String> = shop.endpoint {
            POST("login")
            Problem(LoginProblem.self)
        }
        let sources: [Authorization.Credential] = [
            .bearer { try await login.send() },
            .bearer(refreshing: RefreshingToken { _ in .init(try await login.send()) }),
        ]
        for source in sources {
            let client = Client(Shop.url, transport: stub) { Authorization(source) }
            let error = try #require(await failure { try await client.head("a") })
            guard case .authorization(let failure) = error else {
                Issue.record(error)
                continue
            }
            #expect(error.localizedDescription == "Your account is locked.")
            #expect(failure.status == 403)
            #expect(failure.problem(as: LoginProblem.self) == LoginProblem(message: "Your account is locked."))
            #expect(failure.problem(as: Int.self) == nil)
        }
        let other = APIError.AuthorizationFailure(
            call: .init(method: .get, template: "a"),
            underlying: CancellationError()
        )
        #expect(other.status == nil)
        #expect(other.problem(as: LoginProblem.self) == nil)
    }
}
