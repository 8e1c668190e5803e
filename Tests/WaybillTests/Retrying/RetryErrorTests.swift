import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Errors of calls that were repeated", .timeLimit(.minutes(5)))
struct RetryErrorTests {
    /// What the text of an error says behind its first line.
    private func details(_ error: APIError?) -> [String] {
        (error?.description.split(separator: "\n").dropFirst().map(String.init) ?? [])
    }

    @Test("A failed status tells what was before, and earlier ones twice at most")
    func status() async throws {
        let answers: [Answer] = [
            .status(503), .status(503), .failure(.lost()), .json(#"{"code":"x"}"#, status: 429), .status(503),
        ]
        let retrying = Retrying(["GET a": .sequence(answers)]) {
            Retry(attempts: 5)
            Problem(Complaint.self)
        }
        let error = try #require(await failure(retrying.call().send))
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

    @Test("A lost connection, a body that does not decode and a failure that is not repeated tell it too")
    func others() async {
        let endings: [Answer] = [.failure(.lost()), .json("{}"), .status(404), .failure(TransportError(.other))]
        for ending in endings {
            let retrying = Retrying(["GET a": .sequence([.status(503), ending])]) { Retry(attempts: 2) }
            let error = await failure { () async throws(APIError) in
                try await retrying.client.get("a", as: Int.self)
            }
            #expect(error?.call.attempt == 2)
            #expect(error?.call.earlierFailures.map(\.status) == [503])
            #expect(details(error).first?.hasSuffix(", attempt 2, after 503 Service Unavailable") ?? false)
        }
    }

    @Test("A timeout tells in which attempt it came, and what was before")
    func timeout() async {
        let clock = ManualClock()
        let stub = StubTransport(["DELETE a": .sequence([.status(503), .never])])
        let client = Client(Shop.url, transport: stub, clock: clock, randomness: .half) {
            Retry(backoff: .none)
            Timeout(.seconds(5))
        }
        let task = Task { await failure { () async throws(APIError) in try await client.delete("a") } }
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
        "Why there was no further attempt stands in the text",
        arguments: [
            (
                RetryRefusal.notIdempotent,
                "it might have an effect twice; declare IdempotencyKey() where the server heeds one"
            ),
            (.bodyIsNotReplayable, "its body cannot be sent a second time"),
            (.budgetIsEmpty, "the retry budget is empty, because too many calls have failed"),
            (
                .waitIsTooLong(.seconds(3600), longest: .seconds(60)),
                "the server asks to wait 3600.0 seconds, and Retry(longestWait:) allows 60.0 seconds"
            ),
            (
                .waitPassesDeadline(.seconds(20), remaining: .seconds(4)),
                "the wait of 20.0 seconds would pass the deadline, which is 4.0 seconds away"
            ),
        ] as [(RetryRefusal, String)]
    )
    func refusals(refusal: RetryRefusal, text: String) {
        var call = FailedCall(method: .post, template: "a", url: "https://shop.example/a")
        call.retryRefusal = refusal
        let error = APIError.status(StatusFailure(call: call, status: 503))
        #expect(details(error) == ["  https://shop.example/a", "  not repeated: \(text)"])
    }

    @Test("Of very many attempts the first and the last failures are kept, twenty in all")
    func bounded() async throws {
        let statuses = (0..<50).map { 500 + $0 % 2 * 3 }
        let retrying = Retrying(["GET a": .sequence(statuses.map { .status(.init(code: $0)) })]) {
            Retry(attempts: 50, backoff: .none)
            RetryBudget.none
        }
        let error = try #require(await failure(retrying.call().send))
        #expect(retrying.stub.requests.count == 50)
        #expect(error.call.attempt == 50)
        let attempts = error.call.earlierFailures.map(\.call.attempt)
        #expect(attempts == Array(1...10) + Array(40...49))
    }

    @Test("Of many different failures the text tells five")
    func many() {
        var call = FailedCall(method: .get, template: "a", url: "https://shop.example/a", attempt: 8)
        call.earlierFailures = [500, 502, 500, 502, 500, 502, 500].map {
            .status(StatusFailure(call: FailedCall(method: .get, template: "a"), status: $0))
        }
        let error = APIError.status(StatusFailure(call: call, status: 503))
        #expect(details(error).first?.hasSuffix("502 Bad Gateway, 500 Internal Server Error, …") ?? false)
    }
}
