import Foundation
import Testing
import Waybill
import WaybillFiles
import WaybillSessions

@Suite("httpbin: Digest authentication", .running(.httpbin))
struct HTTPBinDigestTests {
    private static func greeting(
        over transport: TransportUnderTest,
        path: Route.Path,
        password: String
    ) -> Endpoint<HTTPBinAPI.Greeting> {
        HTTPBinAPI(over: transport).endpoint {
            GET(path)
            Authorization(.digest(user: "bo", password: password))
        }
    }

    @Test(
        "Digest authentication at httpbin succeeds repeatedly",
        arguments: TransportUnderTest.all,
        ["MD5", "SHA-256"]
    )
    func right(over transport: TransportUnderTest, algorithm: String) async throws {
        // The server computes the digest from the decoded path, clients from the encoded one. This path is the same in
        // both forms.
        let path: Route.Path = "digest-auth/auth/bo/s3cret/\(algorithm)"
        let greeting = Self.greeting(over: transport, path: path, password: "s3cret")
        for _ in 0..<3 { #expect(try await greeting.send() == .init(authenticated: true, user: "bo", token: nil)) }
    }

    @Test(
        "A wrong password or an unsupported digest challenge at httpbin fails with 401",
        arguments: TransportUnderTest.all
    )
    func wrong(over transport: TransportUnderTest) async throws {
        let wrong = Self.greeting(over: transport, path: "digest-auth/auth/bo/s3cret", password: "wrong")
        let rejected = try await statusFailure(wrong.send)
        #expect(rejected.category == .unauthorized)
        #expect(rejected.challenges.first?.isScheme("Digest") == true)
        let other = Self.greeting(over: transport, path: "digest-auth/auth-int/bo/s3cret", password: "s3cret")
        #expect(try await statusFailure(other.send).category == .unauthorized)
    }

    @Test("API keys and bearer tokens arrive at httpbin as declared", arguments: TransportUnderTest.all)
    func others(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let inField: Endpoint<HTTPBinAPI.Echo> = api.endpoint {
            GET("anything")
            Authorization(.apiKey("s3cret +&", header: "X-Shop-Key"))
        }
        #expect(try await inField.send().headers["X-Shop-Key"] == "s3cret +&")
        let inQuery: Endpoint<HTTPBinAPI.Echo> = api.endpoint {
            GET("anything")
            Query("q", 1)
            Authorization(.apiKey("s3cret +&", query: "key"))
        }
        let response = try await inQuery.response()
        #expect(response.value.args == ["q": "1", "key": "s3cret +&"])
        #expect(response.url.query == "q=1")
        let greeting: Endpoint<HTTPBinAPI.Greeting> = api.endpoint {
            GET("bearer")
            Authorization(.bearer(refreshing: RefreshingToken { _ in .init("fresh") }))
        }
        #expect(try await greeting.send().token == "fresh")
    }
}
