import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Retrying.md")
struct RetryingSamples {
    private let url = Sample.url

    private struct Order { let id: String }

    @Test("The clauses that most clients want")
    func client() throws {
        let client = Client(url) {
            Retry()  // 3 attempts, with growing waits, by chance
            IdempotencyKey()  // so that a POST can be repeated too
            Timeout(.seconds(20))  // for all of it
        }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Retry: 3 attempts"))
    }

    @Test("A POST that only searches")
    func searching() async throws {
        let stub = StubTransport(["POST search": .sequence([.status(503), .json("[1]")])])
        let client = Client(url, transport: stub)
        let search: Endpoint<[Int]> = client.endpoint {
            POST("search")
            Body(["q": "lamp"])
            Retry(
                attempts: 5,
                backoff: .exponential(from: .milliseconds(100), to: .seconds(5)),
                statuses: [429, 503],
                methods: [.get, .post]  // this POST only searches
            )
        }
        #expect(try await search.send() == [1])
    }

    @Test("Each clause does what the page says")
    func clauses() async throws {
        let order = Order(id: "7")
        let stub = StubTransport { _ in .status(204) }
        func sent(@ScopeBuilder _ clauses: () -> Scope) async throws -> HTTPFields? {
            try await Client(url, transport: stub, clauses).post("orders")
            return stub.requests.last?.headerFields
        }
        let hinted = try await sent {
            Retry(hint: .milliseconds(at: "error", "retry_after_ms"))
        }
        #expect(hinted != nil)
        let budgeted = try await sent {
            RetryBudget(capacity: 100)
        }
        #expect(budgeted != nil)
        let own = try await sent {
            IdempotencyKey(header: "X-Request-Id", quoted: true)  // quoted, as the draft has it
            Header("X-Request-Id", order.id)  // a key of your own, in place of a random one
        }
        #expect(own?["X-Request-Id"] == "7")
    }

    @Test("A deadline for several calls")
    func deadline() async throws {
        let stub = StubTransport(["GET basket": .json("[3]"), "GET prices/{}": .json("[30]")])
        let client = Client(url, transport: stub)
        let basket = try await withDeadline(.seconds(600)) {
            let ids = try await client.get("basket", as: [Int].self)
            return try await client.get("prices/\(ids[0])", as: [Int].self)
        }
        #expect(basket == [30])
    }

    @Test("What an error says")
    func errors() async {
        let stub = StubTransport([
            "POST orders": .sequence([
                .failure(TransportError(.connectionLost)), Answer.status(503).header("Retry-After", "3600"),
            ])
        ])
        let client = Client(url, transport: stub) {
            Retry(backoff: .none)
            IdempotencyKey()
            Observe { event in
                guard case .retried(let wait, let error) = event.kind else { return }
                print("\(event.template) again in \(wait): \(error)")
            }
        }
        let error = await Sample.failure { () async throws(APIError) in try await client.post("orders") }
        #expect(
            error?.description == """
                POST orders failed: 503 Service Unavailable
                  https://shop.example/orders, attempt 2, after the connection was lost
                  not repeated: the server asks to wait 3600.0 seconds, and Retry(longestWait:) allows 60.0 seconds
                """
        )
    }
}
