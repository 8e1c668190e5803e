import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Retry(rules:)", .inTurn, .safetyNet)
struct RetryRuleTests {
    private static let rules: [Retry.Rule] = [
        .statuses(429, retries: 10, backoff: .none, maximumWait: .seconds(300)),
        .statuses(502, 503, retries: 3, backoff: .exponential(from: .seconds(1), to: .seconds(20))),
        .transportErrors(retries: 2, backoff: .constant(.seconds(5))),
    ]

    private static let asked = StubResponse.status(429).header("Retry-After", "120")

    @Test(
        "Each failure is retried as often as its rule allows; a failure without a rule is not retried",
        arguments: [
            (asked, 11), (.status(503), 4), (.status(502), 4), (.failure(.lost()), 3),
            (.json("[1,2]").truncated(afterBytes: 2), 3), (.status(500), 1), (.status(408), 1),
            (.failure(TransportError(.secureConnectionFailed)), 1),
        ] as [(StubResponse, Int)]
    )
    func counts(response: StubResponse, requests: Int) async {
        let retrying = Retrying(response) { Retry(rules: Self.rules) }
        let error = await failure { try await retrying.call().send() }
        #expect(error?.call.attempt == requests)
        #expect(error?.call.retryRejection == nil)
        #expect(retrying.stub.requests.count == requests)
    }

    @Test("Each rule counts retries and waits separately from the other rules")
    func alternating() async throws {
        let retrying = Retrying([
            "GET a": .sequence([
                .status(503), .failure(.lost()), .response(Self.asked), .status(502), .failure(.lost()), .status(503),
                .json("1"),
            ])
        ]) { Retry(rules: Self.rules) }
        try await retrying.call().send()
        #expect(
            retrying.clock.sleeps == [
                .seconds(0.5), .seconds(5), .seconds(120), .seconds(1), .seconds(5), .seconds(2),
            ]
        )
    }

    @Test("A rule for some transport errors does not affect the others")
    func kinds() async {
        for (kind, requests) in [(TransportError.Kind.cannotConnect, 3), (.timedOut, 1), (.connectionLost, 2)] {
            let retrying = Retrying(.failure(TransportError(kind))) {
                Retry(rules: [
                    .transportErrors([.cannotConnect, .cannotResolveHost], retries: 2),
                    .transportErrors([.connectionLost], retries: 1),
                ])
            }
            #expect(await failure { try await retrying.call().send() } != nil)
            #expect(retrying.stub.requests.count == requests)
        }
    }

    @Test("A rule's maximum wait applies only to its statuses")
    func maximumWait() async {
        let retrying = Retrying(StubResponse.status(503).header("Retry-After", "120")) { Retry(rules: Self.rules) }
        let error = await failure { try await retrying.call().send() }
        #expect(error?.call.retryRejection == .waitIsTooLong(.seconds(120), maximum: .seconds(60)))
        #expect(retrying.stub.requests.count == 1)
    }

    @Test("A rule retries a POST only with an idempotency key or if its clause declares the method")
    func methods() async {
        for (retry, requests) in [
            (Retry(rules: Self.rules), 1), (Retry(rules: Self.rules, methods: [.post]), 4),
        ] {
            let retrying = Retrying(.status(503)) { retry }
            #expect(await failure { try await retrying.call(.post).send() }?.status == 503)
            #expect(retrying.stub.requests.count == requests)
        }
    }

    @Test("A rule respects a wait hint in the body")
    func hint() async {
        let retrying = Retrying(.json(#"{"ms":1500}"#, status: 429)) {
            Retry(rules: [.statuses(429, retries: 1, backoff: .none)], hint: .milliseconds(at: "ms"))
        }
        #expect(await failure { try await retrying.call().send() }?.status == 429)
        #expect(retrying.clock.sleeps == [.seconds(1.5)])
    }

    @Test("The budget limits the retries of all rules combined")
    func budget() async {
        let retrying = Retrying(Self.asked) {
            Retry(rules: Self.rules)
            Retry.Budget(capacity: 10, cost: 5)
        }
        let error = await failure { try await retrying.call().send() }
        #expect(error?.call.retryRejection == .budgetIsEmpty)
        #expect(retrying.stub.requests.count == 3)
    }

    @Test(
        "Invalid rules are declaration errors that name the clause and the rule",
        arguments: [
            ([], "Retry(rules: []): nothing would be retried; give a rule, or Retry.none"),
            (
                [.statuses(429, retries: 0)],
                "Retry(rules: [.statuses(429, retries: 0)]): give 1 or more, or remove the rule: a failure without one"
            ),
            (
                [.transportErrors(retries: .min)],
                "Retry(rules: [.transportErrors(retries: \(Int.min))]): give 1 or more"
            ),
            (
                [.statuses([429, 503], retries: 2), .statuses([502, 503], retries: 3)],
                "Retry(rules: [.statuses(502, 503, …)]): 503 has two rules; remove it from one"
            ),
            ([.statuses(.serverErrors, retries: 2), .statuses(503, retries: 3)], "503 has two rules"),
            (
                [.transportErrors(retries: 2), .transportErrors([.timedOut], retries: 3)],
                "Retry(rules: [.transportErrors([timedOut], …)]): timedOut has two rules; remove it from one"
            ),
            ([.statuses([], retries: 2)], "Retry(rules: [.statuses([], …)]): it applies to no failure; name one"),
            ([.transportErrors([], retries: 2)], "it applies to no failure; name one, or remove the rule"),
            (
                [.transportErrors([.redirectLoop, .timedOut], retries: 2)],
                "a retry after redirectLoop would fail again; give only cannotConnect, cannotResolveHost,"
            ),
            (
                [.statuses(429, retries: 2, backoff: .constant(.seconds(-1)))],
                "Retry(rules: [.statuses(429, backoff: after -1 s)]): a wait cannot be negative"
            ),
            (
                [.statuses(429, retries: 2, maximumWait: .seconds(-1))],
                "Retry(rules: [.statuses(429, maximumWait: -1 s)]): a wait cannot be negative; pass zero or more"
            ),
        ] as [([Retry.Rule], String)]
    )
    func declarationErrors(rules: [Retry.Rule], text: String) async {
        let retrying = Retrying(.status(204)) { Retry(rules: rules) }
        guard case .request(let error) = await failure({ try await retrying.call().send() }) else {
            Issue.record("expected a request that cannot be built")
            return
        }
        #expect(error.description.contains(text), "\(error)")
        #expect(retrying.stub.requests.isEmpty)
    }

    @Test("An explanation lists the retry rules")
    func summary() throws {
        let retrying = Retrying(.status(204)) {
            Retry(rules: Self.rules + [.statuses(.codes(520...524), retries: 1)])
        }
        let text = try retrying.call().explanation
        #expect(
            text.contains(
                "Retry: 429: 10 retries, at once; 502, 503: 3 retries, after up to 1 s × 2 each time, at most 20 s;"
                    + " transport errors: 2 retries, after 5 s; 520...524: 1 retry, after up to 200 ms"
            ),
            "\(text)"
        )
    }
}
