import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Authorization")
struct AuthorizationTests {
    @Test("A credential's source is asked for each call, and Authorization.none sends none")
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
}
