import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Retries")
struct RetryTests {
    @Test("A call is retried with increasing waits until it succeeds")
    func success() async throws {
        let retrying = Retrying(["GET a": .sequence([.status(503), .failure(.lost()), .json("1")])])
        #expect(try await retrying.client.get("a", as: Int.self) == 1)
        #expect(retrying.stub.requests.count == 3)
        #expect(retrying.clock.sleeps == [.seconds(0.5), .seconds(1)])
    }

    @Test("Retry(attempts:) counts the first attempt", arguments: [1, 2, 3, 7])
    func attempts(count: Int) async {
        let retrying = Retrying(.status(503)) { Retry(attempts: count) }
        let error = await failure { try await retrying.call().send() }
        #expect(error?.status == 503)
        #expect(error?.call.attempt == count)
        #expect(error?.call.earlierFailures.count == count - 1)
        #expect(error?.call.retryRejection == nil)
        #expect(retrying.stub.requests.count == count)
    }

    @Test(
        "A failed status is retried only if it is temporary",
        arguments: [408, 429, 500, 502, 503, 504].map { ($0, true) }
            + [400, 401, 403, 404, 405, 409, 410, 412, 422, 425, 501, 505, 511, 304, 599].map { ($0, false) }
    )
    func statuses(code: Int, isRepeated: Bool) async {
        let status = HTTPResponse.Status(code: code)
        let retrying = Retrying(.status(status)) { Retry() }
        #expect(await failure { try await retrying.call().send() }?.status == status)
        #expect(retrying.stub.requests.count == (isRepeated ? 3 : 1))
    }

    @Test("A transport error is retried only if it is temporary", arguments: TransportError.Kind.allCases)
    func kinds(kind: TransportError.Kind) async {
        let passing: Set<TransportError.Kind> = [.cannotResolveHost, .cannotConnect, .connectionLost, .timedOut]
        let retrying = Retrying(.failure(TransportError(kind))) { Retry() }
        #expect(await failure { try await retrying.call().send() } != nil)
        #expect(retrying.stub.requests.count == (passing.contains(kind) ? 3 : 1))
    }

    @Test("A status declared as success is not retried, and declared retry statuses are")
    func declaredStatuses() async throws {
        let expected = Retrying(.status(503)) { Retry() }
        try await expected.call { Success(.success, 503) }.send()
        #expect(expected.stub.requests.count == 1)
        let named = Retrying(.status(404)) { Retry(statuses: .clientErrors) }
        #expect(await failure { try await named.call().send() }?.status == 404)
        #expect(named.stub.requests.count == 3)
    }

    @Test("A call whose response body is truncated is retried, for a success and for a failure")
    func brokenBodies() async throws {
        let retrying = Retrying([
            "GET a": .sequence([
                .json("[1,2,3]").truncated(afterBytes: 3), .text("gone", status: 404).truncated(afterBytes: 1),
                .json("[4]"),
            ])
        ])
        #expect(try await retrying.client.get("a", as: [Int].self) == [4])
        #expect(retrying.stub.requests.count == 3)
    }

    @Test("A call without Retry, or with Retry.none, is sent once")
    func none() async {
        let undeclared = Retrying(.status(503)) {}
        #expect(await failure { try await undeclared.call().send() } != nil)
        #expect(undeclared.stub.requests.count == 1)
        let off = Retrying(.status(503)) { Retry() }
        #expect(await failure { try await off.call { Retry.none }.send() } != nil)
        #expect(off.stub.requests.count == 1)
    }

    @Test("A middleware sees a retried call once")
    func middleware() async {
        struct Counting: Middleware {
            let lines: Lines

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                lines.add("before")
                let response = try await next(request)
                lines.add("after \(response.status.code)")
                return response
            }
        }
        let lines = Lines()
        let retrying = Retrying(.status(503)) {
            Retry()
            Use(Counting(lines: lines))
        }
        #expect(await failure { try await retrying.call().send() }?.call.attempt == 3)
        #expect(lines.all == ["before", "after 503"])
    }

    @Test("Each retry emits an event with its wait, cause and attempt")
    func events() async throws {
        let lines = Lines()
        let retrying = Retrying(["GET a": .sequence([.status(503), .failure(.lost()), .json("1")])]) {
            Retry(backoff: .constant(.seconds(2)))
            Observe { event in
                switch event.kind {
                case .retried(let wait, let error):
                    lines.add("\(event.attempt) retried after \(wait): \(error.status?.code ?? 0)")
                case .sent: lines.add("\(event.attempt) sent at \(event.time)")
                case .finished: lines.add("\(event.attempt) finished")
                default: break
                }
            }
        }
        _ = try await retrying.client.get("a", as: Int.self)
        #expect(
            lines.all == [
                "1 sent at 0.0 seconds", "1 retried after 2.0 seconds: 503", "2 sent at 2.0 seconds",
                "2 retried after 2.0 seconds: 0", "3 sent at 4.0 seconds", "3 finished",
            ]
        )
    }

    @Test(
        "Invalid Retry numbers are declaration errors that suggest valid ones",
        arguments: [
            (Retry(attempts: 0), "Retry(attempts: 0): the first attempt counts too; give 1 or more, or Retry.none"),
            (Retry(attempts: -3), "Retry(attempts: -3): the first attempt counts too"),
            (Retry(maximumWait: .seconds(-1)), "Retry(maximumWait: -1 s): a wait cannot be negative"),
            (Retry(backoff: .constant(.seconds(-1))), "Retry(backoff: after -1 s): a wait cannot be negative"),
            (Retry(backoff: .exponential(from: .seconds(-1), to: .zero)), "a wait cannot be negative"),
            (Retry(backoff: .exponential(from: .seconds(9), to: .seconds(1))), "the longest wait is shorter"),
            (Retry(backoff: .exponential(from: .zero, to: .zero, factor: 0.5)), "waits would become shorter"),
            (Retry(backoff: .exponential(from: .zero, to: .zero, factor: .nan)), "waits would become shorter"),
            (Retry(backoff: .exponential(from: .zero, to: .zero, factor: .infinity)), "waits would become shorter"),
        ] as [(Retry, String)]
    )
    func declarationErrors(retry: Retry, text: String) async throws {
        let retrying = Retrying(.status(204)) { retry }
        guard case .request(let error) = await failure({ try await retrying.call().send() }) else {
            Issue.record("expected a request that cannot be built")
            return
        }
        #expect(error.description.contains(text), "\(error)")
        #expect(retrying.stub.requests.isEmpty)
    }

    @Test("An explanation lists the declared retry settings")
    func summary() throws {
        let retrying = Retrying(.status(204)) {
            Retry(statuses: [429, 503])
            Retry.Budget(capacity: 50)
            IdempotencyKey(header: "X-Key")
        }
        let text = try retrying.call().explanation
        #expect(
            text.contains(
                "Retry: 3 attempts, after up to 200 ms × 2 each time, at most 20 s, for 429, 503"
            ),
            "\(text)"
        )
        #expect(text.contains("Retry.Budget: 50 tokens, 5 a retry, 10 after a timeout, 1 back"))
        #expect(text.contains("IdempotencyKey: X-Key"))
    }
}
