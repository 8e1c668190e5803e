import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Retry budgets", .inTurn, .safetyNet)
struct RetryBudgetTests {
    private func sends(_ retrying: Retrying, _ call: Endpoint<Void>) async -> (
        count: Int, rejection: APIError.RetryRejection?
    ) {
        let before = retrying.stub.requests.count
        let error = await failure { try await call.send() }
        return (retrying.stub.requests.count - before, error?.call.retryRejection)
    }

    @Test("Calls of a client share a retry budget, and the error reports when it is empty")
    func shared() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 3)
            Retry.Budget(capacity: 25)
        }
        for (count, rejection) in [(3, nil), (3, nil), (2, .budgetIsEmpty), (1, .budgetIsEmpty)]
            as [(Int, APIError.RetryRejection?)]
        {
            let sent = await sends(retrying, retrying.call())
            #expect(sent.count == count)
            #expect(sent.rejection == rejection)
        }
        // Another client has a separate budget.
        let other = Retrying(.status(503)) {
            Retry(attempts: 3)
            Retry.Budget(capacity: 25)
        }
        #expect(await sends(other, other.call()).count == 3)
    }

    @Test("The default retry budget has 500 tokens; a retry costs 5, or 10 after a timeout")
    func usual() async {
        for (response, retries) in [
            (StubResponse.status(503), 100), (.failure(.lost()), 100), (.failure(TransportError(.timedOut)), 50),
        ] {
            let retrying = Retrying(response) { Retry(attempts: 1000, backoff: .none) }
            #expect(await sends(retrying, retrying.call()) == (retries + 1, .budgetIsEmpty))
        }
    }

    @Test("With Retry.Budget.none, only the declared number of attempts limits retries")
    func none() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 300, backoff: .none)
            Retry.Budget.none
        }
        #expect(await sends(retrying, retrying.call()) == (300, nil))
    }

    @Test("A successful retry returns its tokens to the budget, a first success adds a refund, and a 404 adds nothing")
    func refunds() async throws {
        let retrying = Retrying([
            "GET a": .status(503), "GET well": .status(204), "GET missing": .status(404),
            "GET lucky": .sequence([.status(503), .status(204)]),
        ]) {
            Retry(attempts: 2, backoff: .none)
            Retry.Budget(capacity: 10, cost: 5, refund: 2)
        }
        let well: Endpoint<Void> = retrying.client.endpoint { GET("well") }
        let lucky: Endpoint<Void> = retrying.client.endpoint { GET("lucky") }
        let missing: Endpoint<Void> = retrying.client.endpoint { GET("missing") }
        try await lucky.send()
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        for _ in 1...3 { _ = await failure({ try await missing.send() }) }
        #expect(await sends(retrying, retrying.call()).count == 1)
        try await well.send()
        try await well.send()
        #expect(await sends(retrying, retrying.call()).count == 1)
        try await well.send()
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        // The budget never exceeds its capacity.
        for _ in 1...20 { try await well.send() }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
    }

    @Test("A failure that is not retried for another reason costs nothing")
    func unspent() async {
        let retrying = Retrying(StubResponse.status(503).header("Retry-After", "100")) {
            Retry(attempts: 2)
            Retry.Budget(capacity: 5)
        }
        for _ in 1...3 {
            #expect(await sends(retrying, retrying.call()).rejection != .budgetIsEmpty)
            #expect(await sends(retrying, retrying.call(.post)).rejection == .notIdempotent)
        }
    }

    @Test("Calls that declare different retry budgets do not share one")
    func separate() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 2, backoff: .none)
            Retry.Budget(capacity: 5)
        }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        #expect(await sends(retrying, retrying.call { Retry.Budget(capacity: 6) }).count == 2)
    }

    @Test("A page on another origin uses a separate retry budget")
    func foreign() async {
        let responses = StubResponses().otherwise(
            .response { request in
                request.path == "/v1/list" ? .json(#"{"items":[1],"next":"https://other.example/b"}"#) : .status(503)
            }
        )
        let retrying = Retrying(responses) {
            Retry(attempts: 2, backoff: .none)
            Retry.Budget(capacity: 5)
        }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        let list: Endpoint<[Int]> = retrying.client.endpoint {
            GET("list")
            Envelope("items")
            Paginated(.next(at: "next"), otherOrigins: ["https://other.example"])
        }
        let error = await failure { try await list.all.collect() }
        #expect(error?.status == 503)
        #expect(error?.call.attempt == 2)
    }

    @Test("A retry budget bounds the retries of concurrent calls")
    func concurrent() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 10, backoff: .none)
            Retry.Budget(capacity: 100)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask { _ = await failure { try await retrying.call().send() } }
            }
        }
        #expect(retrying.stub.requests.count == 50 + 20)
    }

    @Test(
        "Invalid Retry.Budget numbers are declaration errors",
        arguments: [
            (Retry.Budget(capacity: 0), "Retry.Budget(capacity: 0): it is not enough for one retry, which costs 5"),
            (Retry.Budget(capacity: 4), "Retry.Budget(capacity: 4)"), (Retry.Budget(cost: 0), "Retry.Budget(cost: 0)"),
            (Retry.Budget(timeoutCost: -1), "Retry.Budget(timeoutCost: -1)"),
            (Retry.Budget(refund: 0), "Retry.Budget(refund: 0): the number must be 1 or more"),
        ] as [(Retry.Budget, String)]
    )
    func declarationErrors(budget: Retry.Budget, text: String) async {
        let retrying = Retrying(.status(204)) { budget }
        guard case .request(let error) = await failure({ try await retrying.call().send() }) else {
            Issue.record("expected a request that cannot be built")
            return
        }
        #expect(error.description.contains(text), "\(error)")
    }
}
