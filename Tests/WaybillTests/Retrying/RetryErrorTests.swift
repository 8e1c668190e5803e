import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Errors of retried calls", .inTurn, .safetyNet)
struct RetryErrorTests {
    /// Returns the lines of an error's description after the first.
    private func details(_ error: APIError?) -> [String] {
        (error?.description.split(separator: "\n").dropFirst().map(String.init) ?? [])
    }

    @Test("The description of a failed status after retries lists the earlier failures and groups equal ones")
    func status() async throws {
        let responses: [StubResponse] = [
            .status(503), .status(503), .failure(.lost()), .json(#"{"code":"x"}"#, status: 429), .status(503),
        ]
        let retrying = Retrying(["GET a": .sequence(responses)]) {
            Retry(attempts: 5)
            Problem(Complaint.self)
        }
        let error = try #require(await failure { try await retrying.call().send() })
        #expect(error.call.attempt == 5)
        #expect(error.call.earlierFailures.map(\.call.attempt) == [1, 2, 3, 4])
        #expect(error.call.earlierFailures.map(\.status) == [503, 503, nil, 429])
        #expect(error.call.earlierFailures[3].problem(as: Complaint.self) == Complaint(code: "x"))
        #expect(error.call.earlierFailures.allSatisfy { $0.call.earlierFailures.isEmpty })
        #expect(
            details(error) == [
                "  https://shop.example/v1/a, attempt 5, after 2 × 503 Service Unavailable, "
                    + "the connection was lost, 429 Too Many Requests"
            ]
        )
    }

    struct Complaint: Decodable, Sendable, Equatable { let code: String }

    @Test("The description of any failure after retries lists the earlier failures")
    func others() async {
        let endings: [StubResponse] = [.failure(.lost()), .json("{}"), .status(404), .failure(TransportError(.other))]
        for ending in endings {
            let retrying = Retrying(["GET a": .sequence([.status(503), ending])]) { Retry(attempts: 2) }
            let error = await failure {
                try await retrying.client.get("a", as: Int.self)
            }
            #expect(error?.call.attempt == 2)
            #expect(error?.call.earlierFailures.map(\.status) == [503])
            #expect(details(error).first?.hasSuffix(", attempt 2, after 503 Service Unavailable") ?? false)
        }
    }

    @Test("The description of a timeout after retries has its attempt and the earlier failures")
    func timeout() async {
        let clock = ManualClock()
        let stub = StubTransport(["DELETE a": .sequence([.status(503), .never])])
        let client = Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half) {
            Retry(backoff: .none)
            Timeout(.seconds(5))
        }
        let task = Task { await failure { try await client.delete("a") } }
        await stub.waitForRequests(count: 2)
        clock.advance(by: .seconds(5))
        let error = await task.value
        guard case .timeout(let failure) = error else {
            Issue.record("expected a timeout, not \(String(describing: error))")
            return
        }
        #expect(failure.call.attempt == 2)
        #expect(failure.call.earlierFailures.map(\.status) == [503])
        #expect(details(error) == ["  https://shop.example/v1/a, attempt 2, after 503 Service Unavailable"])
    }

    @Test(
        "A failure's description explains why there was no further attempt",
        arguments: [
            (
                APIError.RetryRejection.notIdempotent,
                "it could take effect twice; declare IdempotencyKey() if the server supports keys"
            ),
            (.bodyIsNotReplayable, "its body cannot be sent a second time"),
            (.budgetIsEmpty, "the retry budget is empty, because too many calls have failed"),
            (
                .waitIsTooLong(.seconds(3600), maximum: .seconds(60)),
                "the server requested a wait of 1 h, but Retry(maximumWait:) allows 1 min"
            ),
            (
                .waitPassesDeadline(.seconds(20), remaining: .seconds(4)),
                "the wait of 20 s would pass the deadline, which is 4 s away"
            ),
        ] as [(APIError.RetryRejection, String)]
    )
    func rejections(rejection: APIError.RetryRejection, text: String) {
        var call = APIError.FailedCall(method: .post, template: "a", url: "https://shop.example/a")
        call.retryRejection = rejection
        let error = APIError.status(APIError.StatusFailure(call: call, status: 503))
        #expect(details(error) == ["  https://shop.example/a", "  not repeated: \(text)"])
    }

    @Test("An error keeps twenty earlier failures: the first ten and the last ten")
    func bounded() async throws {
        let statuses = (0..<50).map { 500 + $0 % 2 * 3 }
        let retrying = Retrying(["GET a": .sequence(statuses.map { .status(.init(code: $0)) })]) {
            Retry(attempts: 50, backoff: .none)
            Retry.Budget.none
        }
        let error = try #require(await failure { try await retrying.call().send() })
        #expect(retrying.stub.requests.count == 50)
        #expect(error.call.attempt == 50)
        let attempts = error.call.earlierFailures.map(\.call.attempt)
        #expect(attempts == Array(1...10) + Array(40...49))
    }

    @Test("An error's description lists five of many alternating earlier failures")
    func many() {
        var call = APIError.FailedCall(method: .get, template: "a", url: "https://shop.example/a", attempt: 8)
        call.earlierFailures = [500, 502, 500, 502, 500, 502, 500].map {
            .status(APIError.StatusFailure(call: APIError.FailedCall(method: .get, template: "a"), status: $0))
        }
        let error = APIError.status(APIError.StatusFailure(call: call, status: 503))
        #expect(details(error).first?.hasSuffix("502 Bad Gateway, 500 Internal Server Error, …") ?? false)
    }
}
