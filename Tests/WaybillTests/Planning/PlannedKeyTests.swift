import CallSupport
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Planned idempotency keys")
struct PlannedKeyTests {
    /// Creates a client whose random numbers count up, so that all keys differ.
    private func client(_ stub: StubTransport, @Scope.Builder _ clauses: () -> Scope) -> Client {
        let numbers = Notes<Int>()
        return Client(
            Shop.url,
            transport: stub,
            randomNumberGenerator: StubGenerator { UInt64(numbers.add(0)) },
            clauses
        )
    }

    private func order(_ client: Client) -> Endpoint<Void> { client.endpoint { POST("orders") } }

    private func key(_ fields: HTTPFields) -> String? { fields["Idempotency-Key"] }

    @Test("A call sends the idempotency key shown in its plan, curl command and explanation")
    func planned() async throws {
        let stub = StubTransport { _ in .status(204) }
        let order = order(client(stub) { IdempotencyKey() })
        let shown = try #require(key(try order.plan().headerFields))
        #expect(try key(order.headerFields) == shown)
        #expect(try order.curl().contains("--header 'Idempotency-Key: \(shown)'"))
        #expect(try order.explanation.contains("Header Idempotency-Key: \(shown)"))
        try await order.send()
        #expect(stub.requests.map { key($0.headerFields) } == [shown])
    }

    @Test("Each call has a new idempotency key, and the plan shows the key of the next call")
    func sentAgain() async throws {
        let stub = StubTransport { _ in .status(204) }
        let order = order(client(stub) { IdempotencyKey() })
        let copy = order
        try await order.send()
        let next = try #require(key(try copy.headerFields))
        try await copy.send()
        try await order.send()
        let sent = stub.requests.compactMap { key($0.headerFields) }
        #expect(sent[1] == next)
        #expect(Set(sent).count == 3)
    }

    @Test("Calls share the client's random number generator, and clients with the same seed send the same keys")
    func sharedGenerator() async throws {
        var sent: [[String]] = []
        for _ in 1...2 {
            let stub = StubTransport { _ in .status(204) }
            let client = Client(Shop.url, transport: stub, randomNumberGenerator: SplitMix64(seed: 7)) {
                IdempotencyKey()
            }
            for _ in 1...3 { try await order(client).send() }
            sent.append(stub.requests.compactMap { key($0.headerFields) })
        }
        #expect(Set(sent[0]).count == 3)
        #expect(sent[0] == sent[1])
    }

    @Test("Two endpoints with the same declaration have different idempotency keys")
    func declaredTwice() throws {
        let client = client(StubTransport([:])) { IdempotencyKey() }
        #expect(try key(order(client).headerFields) != key(order(client).headerFields))
        let order = order(client)
        #expect(try key(order.headerFields) != key(order.with { Query("a", 1) }.headerFields))
    }

    @Test("A plan includes a declared idempotency key with its field name, quotation marks and scope")
    func inner() throws {
        let endpoint = order(client(StubTransport([:])) {}).with { IdempotencyKey(header: "X-Key", quoted: true) }
        let value = try #require(try endpoint.headerFields["X-Key"])
        #expect(value.hasPrefix("\"") && value.hasSuffix("\"") && value.count == 38)
        let row = try #require(try endpoint.explanation.split(separator: "\n").first { $0.contains("Header X-Key") })
        #expect(row.hasSuffix("call"))
    }

    @Test("A plan has no generated key for an idempotent method, a custom key or IdempotencyKey.none")
    func none() throws {
        let client = client(StubTransport([:])) { IdempotencyKey() }
        let read: Endpoint<Void> = client.endpoint { GET("orders") }
        #expect(try key(read.headerFields) == nil)
        #expect(try key(order(client).with { IdempotencyKey.none }.headerFields) == nil)
        #expect(try key(order(client).with { Header("Idempotency-Key", "7") }.headerFields) == "7")
    }
}
