import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// The registry requires a token and names a realm that does not exist; a stub replaces that token server.
@Suite("Docker Registry with tokens", .inTurn, .running(.registryWithTokens))
struct RegistryChallengeTests {
    @Test(
        "A registry's challenge leads to a token for its service and scope",
        arguments: TransportUnderTest.all
    )
    func challenge(over transport: TransportUnderTest) async throws {
        let realm = try LoopbackServer { request in .json(#"{"token":"\#(request.query ?? "")"}"#) }
        defer { realm.stop() }
        let named = Server.registryWithTokens.url.deletingLastPathComponent().appending(path: "token").absoluteString
        let tokens = RefreshingToken(waitsForChallenge: true) { context in
            let challenge = try #require(context.challenges.first { $0.isScheme("Bearer") })
            #expect(challenge["realm"] == named)
            let token: RealmToken = try await Client(realm.url).get("token") {
                Query("service", challenge["service"])
                Query("scope", challenge["scope"])
            }
            return .init(token.token)
        }
        let client = Client(Server.registryWithTokens.url, transport: transport.transport) {
            Authorization(.bearer(refreshing: tokens))
        }
        let tags: Endpoint<[String]> = client.endpoint {
            GET("app01/tags/list")
            Envelope("tags")
        }
        let values = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<10 { group.addTask { try await tags.send() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(values == Array(repeating: "latest", count: 10))
        #expect(realm.requestCount == 1)
        #expect(tokens.current?.value == "service=test&scope=repository%3Aapp01%3Apull")
    }

    @Test("A registry call without a token fails with 401 and the challenge", arguments: TransportUnderTest.all)
    func rejected(over transport: TransportUnderTest) async throws {
        let client = Client(Server.registryWithTokens.url, transport: transport.transport)
        let endpoint: Endpoint<Void> = client.endpoint { GET("app01/manifests/latest") }
        let failure = try await statusFailure(endpoint.send)
        #expect(failure.category == .unauthorized)
        #expect(failure.challenges.map(\.scheme) == ["Bearer"])
        #expect(failure.challenges.first?["service"] == "test")
        #expect(failure.challenges.first?["scope"] == "repository:app01:pull")
    }
}

private struct RealmToken: Decodable, Sendable {
    let token: String
}
