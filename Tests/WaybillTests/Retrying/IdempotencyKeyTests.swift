import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Idempotency keys")
struct IdempotencyKeyTests {
    private func keys(_ retrying: Retrying, _ name: String = "Idempotency-Key") -> [String?] {
        retrying.stub.requests.map { $0.headerFields[name] }
    }

    @Test("An idempotency key is a random UUID shared by all attempts of a call and new for each call")
    func attempts() async throws {
        let retrying = Retrying(StubResponses().otherwise(.sequence([.status(503), .failure(.lost()), .status(204)]))) {
            Retry()
            IdempotencyKey()
        }
        try await retrying.call(.post).send()
        #expect(keys(retrying) == Array(repeating: "80000000-0000-4000-8000-000000000000", count: 3))

        let chance = StubTransport { _ in .status(503) }
        let client = Client(Shop.url, transport: chance, clock: SkippingClock()) {
            Retry(attempts: 2)
            IdempotencyKey()
        }
        for _ in 1...20 { _ = await failure { try await client.post("a") } }
        let sent = chance.requests.map { $0.headerFields["Idempotency-Key"] ?? "" }
        #expect(Set(sent).count == 20)
        #expect(stride(from: 0, to: 40, by: 2).allSatisfy { sent[$0] == sent[$0 + 1] })
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(sent.allSatisfy { $0.wholeMatch(of: form) != nil && UUID(uuidString: $0) != nil })
    }

    @Test(
        "Only non-idempotent methods have an idempotency key",
        arguments: [
            ("POST", true), ("PATCH", true), ("PURGE", true), ("GET", false), ("HEAD", false), ("PUT", false),
            ("DELETE", false), ("OPTIONS", false), ("TRACE", false), ("QUERY", false),
        ]
    )
    func methods(name: String, hasKey: Bool) async throws {
        let retrying = Retrying(.status(204)) { IdempotencyKey() }
        try await retrying.call(try #require(HTTPRequest.Method(name))).send()
        #expect((keys(retrying) != [nil]) == hasKey)
    }

    @Test("An idempotency key's field name and quotation marks can be declared, and the key can be turned off")
    func forms() async throws {
        let uuid = "80000000-0000-4000-8000-000000000000"
        let retrying = Retrying(.status(204)) { IdempotencyKey(header: "X-Request-Id") }
        try await retrying.call(.post).send()
        try await retrying.call(.post) { IdempotencyKey(quoted: true) }.send()
        try await retrying.call(.post) { IdempotencyKey.none }.send()
        #expect(keys(retrying) == [nil, "\"\(uuid)\"", nil])
        #expect(keys(retrying, "X-Request-Id") == [uuid, nil, nil])
    }

    @Test("A declared header field with the same name replaces the idempotency key")
    func own() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 2)
            IdempotencyKey()
        }
        _ = await failure { try await retrying.call(.post) { Header("idempotency-key", "order-7") }.send() }
        #expect(keys(retrying) == ["order-7", "order-7"])
    }

    @Test("A redirect within the origin keeps the idempotency key; one to another origin removes it")
    func redirects() async throws {
        let responses = StubResponses().otherwise(
            .sequence([
                .redirect(to: "/v1/b", status: 307), .redirect(to: "https://other.example/c", status: 308),
                .status(204),
            ])
        )
        let retrying = Retrying(responses) {
            Redirects(.follow)
            IdempotencyKey()
        }
        try await retrying.call(.post).send()
        #expect(keys(retrying).map { $0 != nil } == [true, true, false])
        #expect(keys(retrying)[0] == keys(retrying)[1])
    }

    @Test("An invalid field name for an idempotency key is a declaration error", arguments: ["", "a b", "a\r\nb", "ä"])
    func declarationErrors(name: String) async {
        let retrying = Retrying(.status(204)) { IdempotencyKey(header: name) }
        guard case .request(let error) = await failure({ try await retrying.call(.post).send() }) else {
            Issue.record("expected a request that cannot be built")
            return
        }
        #expect(error.declarationErrors.map(\.clause) == ["IdempotencyKey"])
    }
}
