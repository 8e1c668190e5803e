import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("The budget of retries", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    private func sends(_ retrying: Retrying, _ call: Endpoint<Void>) async -> (count: Int, refusal: RetryRefusal?) {
        let before = retrying.stub.requests.count
        let error = await failure(call.send)
        return (retrying.stub.requests.count - before, error?.call.retryRefusal)
    }

    @Test("Calls of a client share it; when it is empty, each is made once, and says why")
    func shared() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 3)
            RetryBudget(capacity: 25)
        }
        for (count, refusal) in [(3, nil), (3, nil), (2, .budgetIsEmpty), (1, .budgetIsEmpty)] as [(Int, RetryRefusal?)]
        {
            let sent = await sends(retrying, retrying.call())
            #expect(sent.count == count)
            #expect(sent.refusal == refusal)
        }
        // Another client has its own.
        let other = Retrying(.status(503)) {
            Retry(attempts: 3)
            RetryBudget(capacity: 25)
        }
        #expect(await sends(other, other.call()).count == 3)
    }

    @Test("Without a clause there are 500 tokens, of which a retry takes 5, after a timeout 10")
    func usual() async {
        for (answer, retries) in [
            (Answer.status(503), 100), (.failure(.lost()), 100), (.failure(TransportError(.timedOut)), 50),
        ] {
            let retrying = Retrying(answer) { Retry(attempts: 1000, backoff: .none) }
            #expect(await sends(retrying, retrying.call()) == (retries + 1, .budgetIsEmpty))
        }
    }

    @Test("With none the declared attempts alone count")
    func none() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 300, backoff: .none)
            RetryBudget.none
        }
        #expect(await sends(retrying, retrying.call()) == (300, nil))
    }

    @Test("A retry that succeeds gives back what it took; a success at once puts one in; a 404 none")
    func refunds() async throws {
        let retrying = Retrying([
            "GET a": .status(503), "GET well": .status(204), "GET missing": .status(404),
            "GET lucky": .sequence([.status(503), .status(204)]),
        ]) {
            Retry(attempts: 2, backoff: .none)
            RetryBudget(capacity: 10, cost: 5, refund: 2)
        }
        let well: Endpoint<Void> = retrying.client.endpoint { GET("well") }
        let lucky: Endpoint<Void> = retrying.client.endpoint { GET("lucky") }
        let missing: Endpoint<Void> = retrying.client.endpoint { GET("missing") }
        try await lucky.send()
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        for _ in 1...3 { _ = await failure(missing.send) }
        #expect(await sends(retrying, retrying.call()).count == 1)
        try await well.send()
        try await well.send()
        #expect(await sends(retrying, retrying.call()).count == 1)
        try await well.send()
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        // It never holds more than at first.
        for _ in 1...20 { try await well.send() }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
    }

    @Test("What is not repeated for another reason takes nothing")
    func unspent() async {
        let retrying = Retrying(Answer.status(503).header("Retry-After", "100")) {
            Retry(attempts: 2)
            RetryBudget(capacity: 5)
        }
        for _ in 1...3 {
            #expect(await sends(retrying, retrying.call()).refusal != .budgetIsEmpty)
            #expect(await sends(retrying, retrying.call(.post)).refusal == .notIdempotent)
        }
    }

    @Test("Calls that declare other numbers have a budget of their own")
    func separate() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 2, backoff: .none)
            RetryBudget(capacity: 5)
        }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        #expect(await sends(retrying, retrying.call { RetryBudget(capacity: 6) }).count == 2)
    }

    @Test("A page on another origin has a budget of its own")
    func foreign() async {
        let answers = Answers().otherwise(
            .answer { request in
                request.path == "/v1/list" ? .json(#"{"items":[1],"next":"https://other.example/b"}"#) : .status(503)
            }
        )
        let retrying = Retrying(answers) {
            Retry(attempts: 2, backoff: .none)
            RetryBudget(capacity: 5)
        }
        #expect(await sends(retrying, retrying.call()).count == 2)
        #expect(await sends(retrying, retrying.call()).count == 1)
        let list: Endpoint<[Int]> = retrying.client.endpoint {
            GET("list")
            Envelope("items")
            Paginated(.next(at: "next"), otherOrigins: ["https://other.example"])
        }
        let error = await failure { () async throws(APIError) in try await list.all.collect() }
        #expect(error?.status == 503)
        #expect(error?.call.attempt == 2)
    }

    @Test("It holds when many calls take from it at once")
    func concurrent() async {
        let retrying = Retrying(.status(503)) {
            Retry(attempts: 10, backoff: .none)
            RetryBudget(capacity: 100)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask { _ = await failure(retrying.call().send) }
            }
        }
        #expect(retrying.stub.requests.count == 50 + 20)
    }

    @Test(
        "Numbers that make no sense are mistakes",
        arguments: [
            (RetryBudget(capacity: 0), "RetryBudget(capacity: 0): it is not enough for one retry, which costs 5"),
            (RetryBudget(capacity: 4), "RetryBudget(capacity: 4)"), (RetryBudget(cost: 0), "RetryBudget(cost: 0)"),
            (RetryBudget(timeoutCost: -1), "RetryBudget(timeoutCost: -1)"),
            (RetryBudget(refund: 0), "RetryBudget(refund: 0): a budget needs 1 or more there"),
        ] as [(RetryBudget, String)]
    )
    func mistakes(budget: RetryBudget, text: String) async {
        let retrying = Retrying(.status(204)) { budget }
        guard case .request(let error) = await failure(retrying.call().send) else {
            Issue.record("expected a request that cannot be built")
            return
        }
        #expect(error.description.contains(text), "\(error)")
    }
}
