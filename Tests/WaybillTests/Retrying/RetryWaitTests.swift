import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Waits before retries", .inTurn, .safetyNet)
struct RetryWaitTests {
    @Test("Backoff grows exponentially up to its maximum, with jitter")
    func backoff() {
        let backoff = Retry.Backoff.exponential(from: .milliseconds(200), to: .seconds(20))
        let waits = [1, 2, 3, 7, 8, 9, 2000, Int.max].map { backoff.wait(afterAttempt: $0, fraction: 1) }
        #expect(
            waits == [
                .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(12800), .seconds(20),
                .seconds(20), .seconds(20), .seconds(20),
            ]
        )
        #expect(backoff.wait(afterAttempt: 3, fraction: 0) == .zero)
        #expect(backoff.wait(afterAttempt: 3, fraction: 0.25) == .milliseconds(200))
        #expect(Retry.Backoff.constant(.seconds(3)).wait(afterAttempt: 9, fraction: 0.1) == .seconds(3))
        #expect(Retry.Backoff.none.wait(afterAttempt: 1, fraction: 1) == .zero)
        let tripled = Retry.Backoff.exponential(from: .seconds(1), to: .seconds(Int64.max), factor: 3)
        #expect(tripled.wait(afterAttempt: 3, fraction: 1) == .seconds(9))
        #expect(tripled.wait(afterAttempt: 500, fraction: 1) == .seconds(1_000_000_000))
    }

    /// A header or body value from the server and the resulting wait, or `nil` if the call gives up.
    struct Row: CustomTestStringConvertible {
        let value: String
        let wait: Duration?

        init(_ value: String, _ wait: Duration?) {
            self.value = value
            self.wait = wait
        }

        var testDescription: String { value }
    }

    @Test(
        "Retry-After is parsed as seconds or as a date; invalid, negative and past values are ignored",
        arguments: [
            Row("7", .seconds(7)), Row("0", .zero), Row("60", .seconds(60)), Row("1.5", .seconds(1.5)),
            Row("007", .seconds(7)), Row("61", nil), Row("3600", nil), Row("99999999999999999999999", nil),
            Row("-5", .zero), Row("+5", .zero), Row("soon", .zero), Row("", .zero), Row("1e3", .zero),
            Row("5 seconds", .zero), Row("0x10", .zero), Row("٣", .zero), Row("1.2.3", .zero), Row(".5", .zero),
            Row("inf", .zero), Row("nan", .zero),
            Row("Fri, 02 Jan 2026 03:04:25 GMT", .seconds(20)), Row("Friday, 02-Jan-26 03:04:25 GMT", .seconds(20)),
            Row("Fri Jan  2 03:04:25 2026", .seconds(20)), Row("Fri, 02 Jan 2026 03:04:05 GMT", .zero),
            Row("Thu, 01 Jan 2026 03:04:05 GMT", .zero), Row("Sunday, 06-Nov-94 08:49:37 GMT", .zero),
            Row("Fri, 02 Jan 2026 04:04:05 GMT", nil), Row("Fri, 31 Dec 9999 23:59:59 GMT", nil),
            Row("Fri, 30 Feb 2026 03:04:25 GMT", .zero), Row("Fri, 02 Jan 2026 25:04:25 GMT", .zero),
        ]
    )
    func retryAfter(_ row: Row) async throws {
        try await check(row, StubResponse.status(503).header("Retry-After", row.value))
    }

    @Test("A date in Retry-After is relative to the server's Date field")
    func serverClock() async throws {
        let response = StubResponse.status(503).header("Retry-After", "Fri, 02 Jan 2026 05:00:20 GMT")
        try await check(Row("an hour ahead", .seconds(20)), response.header("Date", "Fri, 02 Jan 2026 05:00:00 GMT"))
        try await check(Row("no date at all", nil), response.header("Date", "soon"))
    }

    @Test("The longest of several Retry-After waits applies")
    func several() async throws {
        let response = StubResponse.status(429).header("Retry-After", "3").header("Retry-After", "nonsense")
            .header("Retry-After", "5")
        try await check(Row("several", .seconds(5)), response)
    }

    @Test(
        "A retry waits as long as the body's hint requests",
        arguments: [
            Row(#"{"error":{"retry_after_ms":1500}}"#, .seconds(1.5)),
            Row(#"{"error":{"retry_after_ms":"250"}}"#, .milliseconds(250)),
            Row(#"{"error":{"retry_after_ms":0.5}}"#, .microseconds(500)),
            Row(#"{"error":{"retry_after_ms":3600000}}"#, nil), Row(#"{"error":{"retry_after_ms":1e300}}"#, nil),
            Row(#"{"error":{"retry_after_ms":-1}}"#, .zero), Row(#"{"error":{"retry_after_ms":null}}"#, .zero),
            Row(#"{"error":{"retry_after_ms":"soon"}}"#, .zero), Row(#"{"error":{"retry_after_ms":"inf"}}"#, .zero),
            Row(#"{"error":{"retry_after_ms":[1]}}"#, .zero), Row(#"{"error":7}"#, .zero), Row("[]", .zero),
            Row("{", .zero), Row("", .zero), Row("<html>", .zero),
        ]
    )
    func hint(_ row: Row) async throws {
        try await check(row, .text(row.value, status: 429))
    }

    @Test("The longer of Retry-After and the body's hint applies")
    func both() async throws {
        let body = StubResponse.json(#"{"error":{"retry_after_ms":1500}}"#, status: 429)
        try await check(Row("the field", .seconds(2)), body.header("Retry-After", "2"))
        try await check(Row("the hint", .seconds(1.5)), body.header("Retry-After", "1"))
    }

    private func check(_ row: Row, _ response: StubResponse) async throws {
        let retrying = Retrying(response) {
            Retry(attempts: 2, backoff: .none, hint: .milliseconds(at: "error", "retry_after_ms"))
        }
        let error = try #require(await failure { try await retrying.call().send() })
        #expect(retrying.clock.sleeps == (row.wait.map { $0 > .zero ? [$0] : [] } ?? []))
        #expect(retrying.stub.requests.count == (row.wait == nil ? 1 : 2))
        if row.wait == nil, case .waitIsTooLong(let wait, maximum: .seconds(60)) = error.call.retryRejection {
            #expect(wait > .seconds(60))
        } else {
            #expect(row.wait != nil)
        }
    }

    @Test("Backoff is added to the server's wait to spread out clients")
    func spread() async {
        let retrying = Retrying(StubResponse.status(503).header("Retry-After", "10")) {
            Retry(backoff: .exponential(from: .seconds(2), to: .seconds(20)))
        }
        #expect(await failure { try await retrying.call().send() } != nil)
        #expect(retrying.clock.sleeps == [.seconds(11), .seconds(12)])
    }

    @Test("A declared maximum wait permits a longer Retry-After")
    func maximumWait() async {
        let retrying = Retrying(StubResponse.status(503).header("Retry-After", "120")) {
            Retry(attempts: 2, backoff: .none, maximumWait: .seconds(120))
        }
        #expect(await failure { try await retrying.call().send() }?.call.retryRejection == nil)
        #expect(retrying.clock.sleeps == [.seconds(120)])
    }

    @Test("A call fails immediately if its retry wait would pass the deadline")
    func deadline() async {
        let clock = ManualClock()
        let stub = StubTransport { _ in StubResponse.status(503).header("Retry-After", "10") }
        for (limit, isPassed) in [(Duration.seconds(9), true), (.seconds(10), true), (.seconds(11), false)] {
            let before = stub.requests.count
            let client = Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half) {
                Retry(attempts: 2, backoff: .none)
                Timeout(limit)
            }
            let task = Task { await failure { try await client.delete("a") } }
            if !isPassed {
                await clock.waitForSleepers(count: 2)
                clock.advance(by: .seconds(10))
            }
            let error = await task.value
            #expect(error?.status == 503)
            #expect(
                error?.call.retryRejection
                    == (isPassed ? .waitPassesDeadline(.seconds(10), remaining: limit) : nil)
            )
            #expect(stub.requests.count - before == (isPassed ? 1 : 2))
        }
    }

    @Test("Cancelling a call during a retry wait ends it immediately and keeps its earlier failures")
    func cancelled() async {
        let clock = ManualClock()
        let stub = StubTransport { _ in .status(503) }
        let client = Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half) { Retry() }
        let task = Task { await failure { try await client.delete("a") } }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await task.value
        guard case .cancelled = error else {
            Issue.record("expected a cancelled call, not \(String(describing: error))")
            return
        }
        #expect(error?.call.attempt == 2)
        #expect(error?.call.earlierFailures.map(\.status) == [503])
        #expect(stub.requests.count == 1)
    }
}
