import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Limit: waiting calls", .inTurn, .safetyNet)
struct LimitTests {
    static func client(
        _ transport: some Transport,
        clock: some Clock<Duration> = ManualClock(),
        @Scope.Builder _ clauses: () -> Scope
    ) -> Client {
        Client(
            Shop.url,
            transport: transport,
            clock: clock,
            dates: Client.DateProvider { Date(timeIntervalSince1970: 1_800_000_000) },
            clauses
        )
    }

    static func paths(_ stub: StubTransport) -> [String] { stub.requests.map { $0.url.lastPathComponent } }

    @Test("A concurrency limit sends waiting calls in order")
    func concurrent() async {
        let (gate, other) = (Gate(), Gate())
        // A single permit becomes free at a time, so that the requests follow the queue's order.
        let stub = StubTransport(["GET b": .json("1").held(by: other), "GET {}": .json("1").held(by: gate)])
        let client = Self.client(stub) { Limit(concurrent: 2) }
        var tasks = ["a", "b"].map { client.start($0) }
        await stub.waitForRequests(count: 2)
        for (place, path) in (["c", "d", "e", "f"] as [Route.Path]).enumerated() {
            tasks.append(client.start(path))
            await client.waitForQueue(of: place + 1)
        }
        // One in the middle, and the last one.
        tasks[3].cancel()
        tasks[5].cancel()
        await client.waitForQueue(of: 2)
        #expect(stub.requests.count == 2)
        gate.open()
        for task in tasks[2...] { _ = await task.value }
        other.open()
        var errors: [APIError?] = []
        for task in tasks { errors.append(await task.value) }
        #expect(Self.paths(stub).suffix(2) == ["c", "e"])
        #expect(errors.map { $0 == nil } == [true, true, true, false, true, false])
        guard case .cancelled = errors[3], case .cancelled = errors[5] else {
            Issue.record("expected cancelled calls")
            return
        }
        #expect(client.limiter.isAtRest)
    }

    @Test("A call holds its permit until its body has been read", arguments: [200, 500])
    func body(status: Int) async {
        let gate = Gate()
        let stub = StubTransport { _ in .json("1", status: .init(code: status)).bodyHeld(by: gate) }
        let client = Self.client(stub) { Limit(concurrent: 1) }
        let first = client.start("a")
        await stub.waitForRequests(count: 1)
        let second = client.start("b")
        await client.waitForQueue(of: 1)
        #expect(stub.requests.count == 1)
        gate.open()
        _ = await (first.value, second.value)
        #expect(Self.paths(stub) == ["a", "b"])
        #expect(client.limiter.isAtRest)
    }

    @Test(
        "A failed call releases its permit to the next one",
        arguments: [
            .failure(TransportError(.connectionLost)), .json("1").truncated(afterBytes: 0), .json("x"), .status(404),
            .status(302),
        ] as [StubResponse]
    )
    func failing(response: StubResponse) async {
        let stub = StubTransport([
            "GET a": .response(response), "GET b": .json("1"),
        ])
        let client = Self.client(stub) { Limit(concurrent: 1) }
        #expect(await client.start("a").value != nil)
        #expect(await client.start("b").value == nil)
        #expect(client.limiter.isAtRest)
    }

    @Test("A rate limit applies to any interval on the client's clock, without a timer between calls")
    func rate() async {
        let clock = ManualClock()
        let stub = StubTransport { _ in .json("1") }
        let client = Self.client(stub, clock: clock) { Limit(2, per: .seconds(10)) }
        var tasks: [Task<APIError?, Never>] = []
        for path in ["a", "b"] as [Route.Path] {
            #expect(await client.start(path).value == nil)
            clock.advance(by: .seconds(2))
        }
        #expect(clock.deadlines.isEmpty)
        for (place, path) in (["c", "d", "e"] as [Route.Path]).enumerated() {
            tasks.append(client.start(path))
            await client.waitForQueue(of: place + 1)
        }
        var moments: [Duration] = []
        for place in 0..<3 {
            await clock.advanceToNextDeadline()
            #expect(await tasks[place].value == nil)
            moments.append(clock.now.offset)
        }
        #expect(moments == [.seconds(10), .seconds(12), .seconds(20)])
        #expect(Self.paths(stub) == ["a", "b", "c", "d", "e"])
        #expect(client.limiter.isAtRest)
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Only a call that waits for a permit emits a queued event")
    func event() async {
        let gate = Gate()
        let lines = Lines()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = Self.client(stub) {
            Limit(concurrent: 1)
            Observe { event in
                if case .queued = event.kind { lines.add("queued \(event.template)") }
            }
        }
        let first = client.start("a")
        await stub.waitForRequests(count: 1)
        let second = client.start("b")
        await client.waitForQueue(of: 1)
        gate.open()
        _ = await (first.value, second.value)
        #expect(lines.all == ["queued b"])
    }

    @Test("The call's timeout ends a wait for a permit, and leaves no state behind")
    func timeout() async {
        let clock = ManualClock()
        let stub = StubTransport { _ in .never }
        let client = Self.client(stub, clock: clock) { Limit(concurrent: 1) }
        let first = client.start("a")
        await stub.waitForRequests(count: 1)
        let second = client.start("b") { Timeout(.seconds(5)) }
        await client.waitForQueue(of: 1)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        guard case .timeout = await second.value else {
            Issue.record("expected a timeout")
            return
        }
        first.cancel()
        _ = await first.value
        #expect(stub.requests.count == 1)
        #expect(client.limiter.isAtRest)
    }
}
