import Foundation
import Testing
import Waybill
import WaybillTesting

struct Overload: ResponseContent {
    let ok: Bool
    let error: String?
}

@Suite("Retrying.md")
struct RetryingSamples {
    private let url = Sample.url

    private struct Order { let id: String }

    @Test("The explanation lists the clauses in Retrying.md")
    func client() throws {
        let client = Client(url) {
            Retry()  // 3 attempts, with growing random waits
            IdempotencyKey()  // a POST is retried too
            Timeout(.seconds(20))  // for the whole call
        }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Retry: 3 attempts"))
    }

    @Test("The long poll in Retrying.md has a timeout and is not retried")
    func longPoll() async throws {
        struct Change: ResponseContent { let id: Int }
        let shop = Client(url, transport: StubTransport(["GET changes": .status(503)])) { Retry() }
        let changes: Endpoint<[Change]> = shop.endpoint {
            GET("changes")
            Query("wait", 120)
            Timeout(.seconds(130))
            Retry.none  // a poll that was lost is sent again by its loop
        }
        do throws(APIError) {
            _ = try await changes.send()
            Issue.record("a 503 is a failure")
        } catch {
            #expect(error.call.attempt == 1)
        }
        #expect(try changes.explanation.contains("Timeout: 2 min 10 s"))
    }

    @Test("The search by POST in Retrying.md is retried")
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

    private struct Message: ResponseContent, Equatable { let text: String }

    @Test("The app retries the error inside a 200 in Retrying.md")
    func errorInside() async throws {
        let overloaded = StubResponse.json(#"{"ok":false,"error":"overloaded"}"#)
        let stub = StubTransport([
            "GET messages": .sequence([
                .response(overloaded), .response(overloaded), .json(#"{"ok":true,"messages":[{"text":"hi"}]}"#),
            ])
        ])
        let client = Client(url, transport: stub) { Retry() }

        let messages: Endpoint<[Message]> = client.endpoint {
            GET("messages")
            Envelope("messages")
            Problem(Overload.self, on: .success, when: { !$0.ok })
        }

        func load() async throws(APIError) -> [Message] {
            for _ in 1...3 {
                do throws(APIError) {
                    return try await messages.send()
                } catch {
                    guard error.problem(as: Overload.self)?.error == "overloaded" else { throw error }
                }
            }
            return try await messages.send()
        }

        #expect(try await load() == [Message(text: "hi")])
        #expect(stub.requests.count == 3)
    }

    @Test("The clauses in Retrying.md can be declared, and a custom key is sent")
    func clauses() async throws {
        let order = Order(id: "7")
        let stub = StubTransport { _ in .status(204) }
        func sent(@Scope.Builder _ clauses: () -> Scope) async throws -> HTTPFields? {
            try await Client(url, transport: stub, clauses).post("orders")
            return stub.requests.last?.headerFields
        }
        let hinted = try await sent {
            Retry(hint: .milliseconds(at: "error", "retry_after_ms"))
        }
        #expect(hinted != nil)
        let ruled = try await sent {
            Retry(rules: [
                .statuses(429, retries: 10, backoff: .none, maximumWait: .seconds(300)),  // as the server asks
                .statuses(503, retries: 3),  // with growing random waits
                .transportErrors(retries: 2),
            ])
        }
        #expect(ruled != nil)
        let budgeted = try await sent {
            Retry.Budget(capacity: 100)
        }
        #expect(budgeted != nil)
        let own = try await sent {
            IdempotencyKey(header: "X-Request-Id", quoted: true)  // quoted, as in the draft
            Header("X-Request-Id", order.id)  // a key of your own
        }
        #expect(own?["X-Request-Id"] == "7")
    }

    @Test("The calls under a deadline in Retrying.md succeed")
    func deadline() async throws {
        let stub = StubTransport(["GET basket": .json("[3]"), "GET prices/{}": .json("[30]")])
        let client = Client(url, transport: stub)
        let basket = try await Call.withDeadline(in: .seconds(600)) {
            let ids = try await client.get("basket", as: [Int].self)
            return try await client.get("prices/\(ids[0])", as: [Int].self)
        }
        #expect(basket == [30])
    }

    @Test("The text of a failure after retries matches Retrying.md")
    func errors() async {
        let stub = StubTransport([
            "POST orders": .sequence([
                .failure(TransportError(.connectionLost)), StubResponse.status(503).header("Retry-After", "3600"),
            ])
        ])
        let client = Client(url, transport: stub) {
            Retry(backoff: .none)
            IdempotencyKey()
            Observe { event in
                guard case .retried(let wait, let error) = event.kind else { return }
                print("\(event.template) retrying in \(wait): \(error)")
            }
        }
        let error = await Sample.failure { try await client.post("orders") }
        #expect(
            error?.description == """
                POST orders failed: 503 Service Unavailable
                  https://shop.example/orders, attempt 2, after the connection was lost
                  not repeated: the server requested a wait of 1 h, but Retry(maximumWait:) allows 1 min
                """
        )
    }
}
