import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Deadlines", .inTurn, .safetyNet)
struct DeadlineTests {
    private let clock = ManualClock()

    /// Returns a client whose requests never receive a response.
    private func silent(@Scope.Builder _ clauses: () -> Scope = { Scope() }) -> (client: Client, stub: StubTransport) {
        let stub = StubTransport { _ in .never }
        return (Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half, clauses), stub)
    }

    private func limit(_ error: APIError?) -> Duration? {
        if case .timeout(let failure) = error { failure.limit } else { nil }
    }

    @Test(
        "The earliest of several deadlines applies, in any order of declaration",
        arguments: [
            // The enclosing deadlines, the call's timeout and the limit that ends the call, in seconds.
            ([5, 9], 12, 5), ([9, 5], 12, 5), ([9, 12], 5, 5), ([5], nil, 5), ([12, 9, 5], nil, 5), ([], 5, 5),
        ] as [([Int], Int?, Int)]
    )
    func nearest(around: [Int], own: Int?, expected: Int) async {
        let (client, stub) = silent { own.map { Timeout(.seconds($0)) } ?? .none }
        let clock = clock
        @Sendable func call(within limits: ArraySlice<Int>) async -> APIError? {
            guard let first = limits.first else {
                return await failure { try await client.delete("a") }
            }
            return await Call.withDeadline(in: .seconds(first), clock: clock) { await call(within: limits.dropFirst()) }
        }
        let task = Task { await call(within: around[...]) }
        await stub.waitForRequests(count: 1)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(expected))
        #expect(limit(await task.value) == .seconds(expected))
    }

    @Test("A timeout counts from the start of the call, even if its transport takes the entire time to begin waiting")
    func start() async {
        let clock = clock
        let stub = StubTransport { _ in
            clock.advance(by: .seconds(5))
            return .never
        }
        let client = Client(Shop.url, transport: stub, clock: clock) { Timeout(.seconds(5)) }
        let error = await failure { try await client.delete("a") }
        #expect(limit(error) == .seconds(5))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("A deadline covers all attempts and the waits between them")
    func attempts() async {
        let stub = StubTransport { _ in .status(503) }
        let client = Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half) {
            Retry(attempts: 100, backoff: .constant(.seconds(2)))
            Timeout(.seconds(7))
        }
        let task = Task { await failure { try await client.delete("a") } }
        for _ in 1...3 {
            await clock.waitForSleepers(count: 2)
            clock.advance(by: .seconds(2))
        }
        let error = await task.value
        // A fourth wait would end at 8 s.
        #expect(error?.status == 503)
        #expect(error?.call.retryRejection == .waitPassesDeadline(.seconds(2), remaining: .seconds(1)))
        #expect(error?.call.attempt == 4)
    }

    @Test("A call that fetches a credential inherits the deadline of the call that needs the credential")
    func nested() async {
        let (inner, stub) = silent { Timeout(.seconds(60)) }
        let outer = Client(Shop.url, transport: StubTransport { _ in .status(204) }, clock: clock) {
            Timeout(.seconds(3))
            Authorization(.bearer { try await inner.get("token", as: String.self) })
        }
        let task = Task {
            await failure { try await outer.delete("a") }
        }
        await stub.waitForRequests(count: 1)
        await clock.waitForSleepers(count: 2)
        #expect(clock.deadlines.map(\.offset) == [.seconds(3), .seconds(3)])
        clock.advance(by: .seconds(3))
        let error = await task.value
        #expect(limit(error) == .seconds(3))
        #expect(clock.deadlines.isEmpty)
    }

    @Test("A deadline is converted when read on another clock and is unchanged on its original clock")
    func anotherClock() {
        let (own, other) = (AnyClock(clock), ManualClock())
        let deadline = Deadline(.seconds(5), on: own)
        let time = AnyClock(other)
        clock.advance(by: .seconds(2))
        other.advance(by: .seconds(60))
        #expect(deadline.moment(on: own, remaining: deadline.remaining()) == .seconds(5))
        #expect(deadline.moment(on: time, remaining: deadline.remaining()) == .seconds(63))
    }

    @Test("Tasks inherit a deadline; detached tasks do not")
    func tasks() async {
        let (client, stub) = silent()
        let detached = await Call.withDeadline(in: .seconds(5), clock: clock) {
            async let child = failure { try await client.delete("child") }
            let unstructured = Task { await failure { try await client.delete("task") } }
            let detached = Task.detached {
                await failure { try await client.delete("detached") }
            }
            await stub.waitForRequests(count: 3)
            await clock.waitForSleepers(count: 2)
            #expect(clock.deadlines.map(\.offset) == [.seconds(5), .seconds(5)])
            clock.advance(by: .seconds(5))
            #expect(limit(await child) == .seconds(5))
            #expect(limit(await unstructured.value) == .seconds(5))
            return detached
        }
        detached.cancel()
        guard case .cancelled = await detached.value else {
            Issue.record("expected a cancelled call")
            return
        }
    }

    @Test("A call whose deadline has passed or is not positive sends nothing", arguments: [0, -5, 1])
    func passed(seconds: Int) async {
        let (client, stub) = silent()
        let error = await Call.withDeadline(in: .seconds(seconds), clock: clock) {
            if seconds > 0 { clock.advance(by: .seconds(seconds)) }
            return await failure { try await client.delete("a") }
        }
        #expect(limit(error) == .seconds(seconds))
        #expect(stub.requests.isEmpty)
    }

    @Test("withDeadline returns or throws its closure's result and has no effect afterward")
    func outside() async throws {
        struct Own: Error {}
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }, clock: clock)
        await #expect(throws: Own.self) {
            try await Call.withDeadline(in: .seconds(1), clock: clock) { throw Own() }
        }
        #expect(await Call.withDeadline(in: .zero, clock: clock) { 7 } == 7)
        #expect(try await client.get("a", as: Int.self) == 1)
    }

    @Test("A deadline of any length is accepted", arguments: [Duration.seconds(Int64.max), .milliseconds(Int64.max)])
    func long(limit: Duration) async throws {
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }) { Timeout(limit) }
        let value = try await Call.withDeadline(in: limit) { () async throws(APIError) in
            try await client.get("a", as: Int.self)
        }
        #expect(value == 1)
    }
}
