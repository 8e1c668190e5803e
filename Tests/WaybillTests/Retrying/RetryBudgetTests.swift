import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("The budget of retries", .inTurn, .safetyNet)
struct RetryBudgetTests {
    private func sends(_ retrying: Retrying, _ call: Endpoint<Void>) async -> (
        count: Int, rejection: APIError.RetryRejection?
    ) {
        let before = retrying.stub.requests.count
        let error = await failure { try await call.send() }
        return (retrying.stub.requests.count - before, error?.call.retryRejection)
    }

    @Test("Calls of a client share a retry budget; if it is empty, the error says why there was one attempt")
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
        // Another client has a budget of its own.
        let other = Retrying(.status(503)) {
            Retry(attempts: 3)
            Retry.Budget(capacity: 25)
        }
        #expect(await sends(other, other.call()).count == 3)
    }

    @Test("The default retry budget has 500 tokens: a retry takes 5, after a timeout 10")
    func usual() async {
        for (response, retries) in [
            (StubResponse.status(503), 100), (.failure(.lost()), 100), (.failure(TransportError(.timedOut)), 50),
        ] {
            let retrying = Retrying(response) { Retry(attempts: 1000, backoff: .none) }
            #expect(await sends(retrying, retrying.call()) == (retries + 1, .budgetIsEmpty))
        }
    }

    @Test("Retry.Budget.none leaves the declared number of attempts only")
    func none() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 300, backoff: .none)
            Retry.Budget.none
        }
        #expect(await sends(retrying, retrying.call()) == (300, nil))
    }

    @Test("A retry that succeeds returns its tokens to the budget, a first success adds one, a 404 none")
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
        // The budget never grows above its start.
        for _ in 1...20 { try await well.send() }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
    }

    @Test("A failure that is not retried for another reason takes nothing from the budget")
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

    @Test("Calls that declare another retry budget do not share one")
    func separate() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 2, backoff: .none)
            Retry.Budget(capacity: 5)
        }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        #expect(await sends(retrying, retrying.call { Retry.Budget(capacity: 6) }).count == 2)
    }

    @Test("A page on another origin has a retry budget of its own")
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

    @Test("A retry budget holds for many concurrent calls")
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
        "Invalid numbers of Retry.Budget are declaration errors",
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
