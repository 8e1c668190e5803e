import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Limit: what the server says, and what is not waited for", .timeLimit(.minutes(5)))
struct LimitRefusalTests {
    let clock = ManualClock()

    private func client(_ answers: Answers, @ScopeBuilder _ clauses: () -> Scope) -> (Client, StubTransport) {
        let stub = StubTransport(answers)
        let dates = DateSource { [clock] in
            Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
        }
        return (Client(Shop.url, transport: stub, clock: clock, dates: dates, clauses), stub)
    }

    @Test(
        "After a response that names a moment no request is sent until then",
        arguments: [
            .status(429).header("Retry-After", "30"),
            .status(503).header("Retry-After", "Fri, 15 Jan 2027 08:00:30 GMT"),
            .json("1").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "30"),
            .json("1").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "1800000030"),
            .json("1").header("RateLimit", "\"default\";r=0;t=30"),
        ] as [Answer]
    )
    func hint(answer: Answer) async {
        let (client, stub) = client(["GET a": .answer(answer), "GET b": .json("1"), "GET c": .json("1")]) {
            Limit.byServer()
        }
        _ = await client.start("a").value
        let tasks = ["b", "c"].map { client.start($0) }
        await client.waitForQueue(of: 2)
        #expect(stub.requests.count == 1)
        #expect(await clock.advanceToNextDeadline() == .seconds(30))
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.requests.count == 3)
        #expect(client.limiter.isAtRest)
    }

    @Test(
        "What makes no sense holds nobody up",
        arguments: ["0", "-1", "soon", "99999999999999999999", "Fri, 15 Jan 2027 07:00:00 GMT", "100000"]
    )
    func nonsense(value: String) async {
        let (client, stub) = client([
            "GET a": .status(429).header("Retry-After", value), "GET b": .json("1"),
        ]) { Limit(concurrent: 1) }
        _ = await client.start("a").value
        #expect(await client.start("b").value == nil)
        #expect(stub.requests.count == 2)
    }

    @Test(
        "Who waits already when the server names a moment far away fails, and the next ones at once, until it is near"
    )
    func farAway() async {
        let gate = Gate()
        let (client, stub) = client([
            "GET a": .status(429).header("Retry-After", "3600").held(by: gate), "GET b": .json("1"),
        ]) { Limit(concurrent: 1, longestWait: .seconds(60)) }
        let first = client.start("a")
        await stub.waitForRequests(count: 1)
        let second = client.start("b")
        await client.waitForQueue(of: 1)
        gate.open()
        #expect(await first.value?.status == 429)
        let text = """
            GET b was not sent: the server wants no request before 2027-01-15T09:00:00Z
              https://shop.example/v1/b
              that is in 3600.0 seconds; Limit(…, longestWait:) waits for up to 60.0 seconds
            """
        #expect(await second.value?.description == text)
        #expect(await client.start("b").value?.description == text)
        #expect(client.limiter.isAtRest)
        clock.advance(by: .seconds(3539))
        guard case .refused(let failure) = await client.start("b").value,
            case .rateLimited(let date, .seconds(61), .longestWait(.seconds(60))) = failure.reason
        else {
            Issue.record("expected a refused call")
            return
        }
        #expect(date == Date(timeIntervalSince1970: 1_800_003_600))
        clock.advance(by: .seconds(1))
        let last = client.start("b")
        await client.waitForQueue(of: 1)
        await clock.advanceToNextDeadline()
        #expect(await last.value == nil)
        #expect(stub.requests.count == 2)
    }

    @Test("A wait that would pass the deadline is not begun: nothing is sent, nobody waits")
    func deadline() async {
        let (client, stub) = client(["GET {}": .json("1")]) { Limit(1, per: .seconds(10)) }
        #expect(await client.start("a").value == nil)
        let error = await client.start("b") { Timeout(.seconds(5)) }.value
        #expect(
            error?.description == """
                GET b was not sent: its turn comes at 2027-01-15T08:00:10Z, after its deadline
                  https://shop.example/v1/b
                  it would wait for 10.0 seconds, and has 5.0 seconds left
                """
        )
        let nested = await withDeadline(.seconds(5), clock: clock) { await client.start("c").value }
        guard case .refused = nested else {
            Issue.record("expected a refused call")
            return
        }
        #expect(stub.requests.count == 1)
        #expect(client.limiter.isAtRest)
    }

    @Test("Only so many wait; one more fails at once")
    func waiting() async {
        let gate = Gate()
        let (client, stub) = client(["GET {}": .json("1").held(by: gate)]) { Limit(concurrent: 1, waiting: 2) }
        var tasks = [client.start("a")]
        await stub.waitForRequests(count: 1)
        tasks += ["b", "c"].map { client.start($0) }
        await client.waitForQueue(of: 2)
        #expect(
            await client.start("d").value?.description == """
                GET d was not sent: its Limit has 2 calls waiting already
                  https://shop.example/v1/d
                  make fewer calls at once, or let more of them wait: Limit(…, waiting:)
                """
        )
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.requests.count == 3)
    }

    @Test(
        "Numbers and times that cannot be meant are mistakes",
        arguments: [
            (Limit(concurrent: 0), "Limit(concurrent: 0): no call could ever be sent; give 1 or more, or Limit.none"),
            (Limit(concurrent: -1), "Limit(concurrent: -1): no call could ever be sent; give 1 or more, or Limit.none"),
            (
                Limit(0, per: .seconds(1)),
                "Limit(0, per: 1.0 seconds): no such rate can be kept; give 1 call or more and a positive time, or Limit.none"
            ),
            (
                Limit(1, per: .zero),
                "Limit(1, per: 0.0 seconds): no such rate can be kept; give 1 call or more and a positive time, or Limit.none"
            ),
            (
                Limit(1, per: .seconds(Int64.max)),
                "Limit(1, per: \(Duration.seconds(Int64.max))): no client runs for so long; give a time of up to 31536000.0 seconds"
            ),
            (
                Limit(concurrent: 1, waiting: -1),
                "Limit(waiting: -1): give the number of calls that may wait, zero or more"
            ),
            (
                Limit(concurrent: 1, longestWait: .seconds(-1)),
                "Limit(longestWait: -1.0 seconds): give a time, or .zero for no wait at all"
            ),
        ]
    )
    func mistakes(limit: Limit, text: String) async {
        let (client, stub) = client(["GET a": .json("1")]) { limit }
        guard case .request(let failure) = await client.start("a").value else {
            Issue.record("expected a mistake")
            return
        }
        #expect(failure.mistakes.map(\.description) == [text])
        #expect(stub.requests.isEmpty)
    }
}
