import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

@Suite("Limit: server holds and rejections", .inTurn, .safetyNet)
struct LimitRejectionTests {
    let clock = ManualClock()

    private func client(_ responses: StubResponses, @Scope.Builder _ clauses: () -> Scope) -> (Client, StubTransport) {
        let stub = StubTransport(responses)
        let dates = Client.DateProvider { [clock] in
            Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
        }
        return (Client(Shop.url, transport: stub, clock: clock, dates: dates, clauses), stub)
    }

    @Test(
        "No request is sent before the time given in a response",
        arguments: [
            .status(429).header("Retry-After", "30"),
            .status(503).header("Retry-After", "Fri, 15 Jan 2027 08:00:30 GMT"),
            .json("1").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "30"),
            .json("1").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "1800000030"),
            .json("1").header("RateLimit", "\"default\";r=0;t=30"),
        ] as [StubResponse]
    )
    func hint(response: StubResponse) async {
        let (client, stub) = client(["GET a": .response(response), "GET b": .json("1"), "GET c": .json("1")]) {
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
        "An unusable Retry-After does not delay calls",
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
        "Waiting and new calls are rejected while the server's hold exceeds the maximum wait"
    )
    func farAway() async {
        let gate = Gate()
        let (client, stub) = client([
            "GET a": .status(429).header("Retry-After", "3600").held(by: gate), "GET b": .json("1"),
        ]) { Limit(concurrent: 1, maximumWait: .seconds(60)) }
        let first = client.start("a")
        await stub.waitForRequests(count: 1)
        let second = client.start("b")
        await client.waitForQueue(of: 1)
        gate.open()
        #expect(await first.value?.status == 429)
        let text = """
            GET b was not sent: the server accepts no request before 2027-01-15T09:00:00Z
              https://shop.example/v1/b
              the wait would be 1 h; Limit(…, maximumWait:) allows at most 1 min
            """
        #expect(await second.value?.description == text)
        #expect(await client.start("b").value?.description == text)
        #expect(client.limiter.isAtRest)
        clock.advance(by: .seconds(3539))
        guard case .rejected(let failure) = await client.start("b").value,
            case .rateLimited(let date, .seconds(61), .maximumWait(.seconds(60))) = failure.reason
        else {
            Issue.record("expected a rejected call")
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

    @Test("Retry-After takes precedence over an earlier response's later reset")
    func retryAfterBeforeReset() async {
        let gate = Gate()
        let (client, stub) = client([
            "GET a": .json("1").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "50"),
            "GET b": .status(429).header("Retry-After", "5").held(by: gate),
            "GET c": .json("1"),
        ]) { Limit.byServer() }
        let slow = client.start("b")
        await stub.waitForRequests(count: 1)
        #expect(await client.start("a").value == nil)
        let third = client.start("c")
        await client.waitForQueue(of: 1)
        gate.open()
        #expect(await slow.value?.status == 429)
        clock.advance(by: .seconds(5))
        await waitUntil { stub.requests.count == 3 }
        // The reset time has passed now in any case, so the test ends.
        clock.advance(by: .seconds(45))
        #expect(await third.value == nil)
    }

    @Test("A call is rejected if a second hold extends its wait beyond the declared maximum")
    func maximumWaitInAll() async {
        let gate = Gate()
        let (client, stub) = client([
            "GET a": .status(429).header("Retry-After", "50"),
            "GET b": .status(503).header("Retry-After", "30").held(by: gate),
            "GET c": .json("1"),
        ]) { Limit.byServer(maximumWait: .seconds(60)) }
        let slow = client.start("b")
        await stub.waitForRequests(count: 1)
        #expect(await client.start("a").value?.status == 429)
        let third = client.start("c")
        await client.waitForQueue(of: 1)
        clock.advance(by: .seconds(40))
        gate.open()
        #expect(await slow.value?.status == 503)
        #expect(
            await third.value?.description == """
                GET c was not sent: the server accepts no request before 2027-01-15T08:01:10Z
                  https://shop.example/v1/c
                  the wait would be 1 min 10 s; Limit(…, maximumWait:) allows at most 1 min
                """
        )
        #expect(stub.requests.count == 2)
    }

    @Test("A call whose wait for a permit would exceed its deadline is rejected at once and sends nothing")
    func deadline() async {
        let (client, stub) = client(["GET {}": .json("1")]) { Limit(1, per: .seconds(10)) }
        #expect(await client.start("a").value == nil)
        let error = await client.start("b") { Timeout(.seconds(5)) }.value
        #expect(
            error?.description == """
                GET b was not sent: a limit allows it at 2027-01-15T08:00:10Z, after its deadline
                  https://shop.example/v1/b
                  it would wait for 10 s, but has only 5 s left
                """
        )
        let nested = await Call.withDeadline(in: .seconds(5), clock: clock) { await client.start("c").value }
        guard case .rejected = nested else {
            Issue.record("expected a rejected call")
            return
        }
        #expect(stub.requests.count == 1)
        #expect(client.limiter.isAtRest)
    }

    @Test("A call beyond the maximum number of waiting calls is rejected at once")
    func waiting() async {
        let gate = Gate()
        let (client, stub) = client(["GET {}": .json("1").held(by: gate)]) { Limit(concurrent: 1, waiting: 2) }
        var tasks = [client.start("a")]
        await stub.waitForRequests(count: 1)
        tasks += ["b", "c"].map { client.start($0) }
        await client.waitForQueue(of: 2)
        #expect(
            await client.start("d").value?.description == """
                GET d was not sent: its Limit already has 2 calls waiting
                  https://shop.example/v1/d
                  make fewer calls at once, or allow more to wait: Limit(…, waiting:)
                """
        )
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.requests.count == 3)
    }

    @Test(
        "Invalid values for Limit are declaration errors",
        arguments: [
            (Limit(concurrent: 0), "Limit(concurrent: 0): no call could ever be sent; give 1 or more, or Limit.none"),
            (Limit(concurrent: -1), "Limit(concurrent: -1): no call could ever be sent; give 1 or more, or Limit.none"),
            (
                Limit(0, per: .seconds(1)),
                "Limit(0, per: 1 s): a rate needs at least 1 call and a positive time; give both, or Limit.none"
            ),
            (
                Limit(1, per: .zero),
                "Limit(1, per: 0 ms): a rate needs at least 1 call and a positive time; give both, or Limit.none"
            ),
            (
                Limit(1, per: .seconds(Int64.max)),
                "Limit(1, per: 106751991167300 days): the time is too long; give one of up to 365 days"
            ),
            (
                Limit(concurrent: 1, waiting: -1),
                "Limit(waiting: -1): give the number of calls that may wait, zero or more"
            ),
            (
                Limit(concurrent: 1, maximumWait: .seconds(-1)),
                "Limit(maximumWait: -1 s): give a time, or .zero for no wait at all"
            ),
        ]
    )
    func declarationErrors(limit: Limit, text: String) async {
        let (client, stub) = client(["GET a": .json("1")]) { limit }
        guard case .request(let failure) = await client.start("a").value else {
            Issue.record("expected a declaration error")
            return
        }
        #expect(failure.declarationErrors.map(\.description) == [text])
        #expect(stub.requests.isEmpty)
    }
}
