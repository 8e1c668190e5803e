import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

@Suite("Limit: pacing", .inTurn, .safetyNet)
struct LimitPacingTests {
    let clock = ManualClock()

    private func client(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope) -> (Client, StubTransport) {
        let stub = StubTransport(["GET a": .response(response), "GET {}": .json("1")])
        let dates = Client.DateProvider { [clock] in
            Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
        }
        return (Client(Shop.url, transport: stub, clock: clock, dates: dates, clauses), stub)
    }

    @Test(
        "The last requests of a window are spread over its remaining time",
        arguments: [
            .json("1").header("RateLimit", #""minute";r=3;t=40"#),
            .json("1").header("RateLimit", #""minute";r=3;t=40, "day";r=1000;t=4000"#),
            .json("1").header("X-RateLimit-Remaining", "3").header("X-RateLimit-Reset", "1800000040"),
            .json("1", status: 404).header("RateLimit", "limit=100, remaining=3, reset=40"),
        ] as [StubResponse]
    )
    func spread(response: StubResponse) async {
        let (client, stub) = client(response) { Limit.byServer(pacedBelow: 10) }
        _ = await client.start("a").value
        var tasks: [Task<APIError?, Never>] = []
        for (place, path) in (["b", "c", "d", "e"] as [Route.Path]).enumerated() {
            tasks.append(client.start(path))
            await client.waitForQueue(of: place + 1)
        }
        var moments: [Duration] = []
        for task in tasks {
            await clock.advanceToNextDeadline()
            #expect(await task.value == nil)
            moments.append(clock.now.offset)
        }
        #expect(moments == [.seconds(10), .seconds(20), .seconds(30), .seconds(40)])
        #expect(stub.requests.map { $0.url.lastPathComponent } == ["a", "b", "c", "d", "e"])
        #expect(client.limiter.isAtRest)
    }

    @Test("Calls that are not paced, or with enough remaining requests, are sent at once")
    func unpaced() async {
        for limit in [Limit.byServer(), .byServer(pacedBelow: 3), Limit(concurrent: 4, pacedBelow: 1)] {
            let (client, stub) = client(.json("1").header("RateLimit", #""minute";r=5;t=40"#)) { limit }
            for path in ["a", "b", "c"] as [Route.Path] { #expect(await client.start(path).value == nil) }
            #expect(stub.requests.count == 3)
        }
        #expect(clock.now.offset == .zero)
    }

    @Test("After a window, waiting calls are sent according to the policy")
    func policy() async {
        let response = StubResponse.json("1").header("RateLimit", #""minute";r=0;t=10"#)
            .header("RateLimit-Policy", #""minute";q=2;w=20"#)
        let (client, stub) = client(response) { Limit.byServer(pacedBelow: 1) }
        _ = await client.start("a").value
        let tasks = (["b", "c", "d"] as [Route.Path]).map { client.start($0) }
        await client.waitForQueue(of: 3)
        #expect(await clock.advanceToNextDeadline() == .seconds(10))
        await waitUntil { stub.requests.count == 3 }
        #expect(client.limiter.waitingCount == 1)
        await clock.advanceToNextDeadline()
        for task in tasks { #expect(await task.value == nil) }
        #expect(clock.now.offset == .seconds(30))
    }

    @Test("A call that pacing would delay too long is rejected")
    func rejected() async {
        let (client, stub) = client(.json("1").header("RateLimit", #""hour";r=1;t=3600"#)) {
            Limit.byServer(pacedBelow: 5)
        }
        _ = await client.start("a").value
        guard case .rejected(let failure) = await client.start("b").value,
            case .rateLimited(_, .seconds(1800), .maximumWait(.seconds(60))) = failure.reason
        else {
            Issue.record("expected a rejected call")
            return
        }
        guard case .rejected(let late) = await client.start("b", { Timeout(.seconds(9)) }).value,
            case .rateLimited = late.reason
        else {
            Issue.record("expected a rejected call")
            return
        }
        #expect(stub.requests.count == 1)
        #expect(client.limiter.isAtRest)
    }

    @Test("A paced rate limit enforces both the rate and the pace")
    func rate() async {
        let (client, _) = client(.json("1").header("RateLimit", #""minute";r=1;t=40"#)) {
            Limit(1, per: .seconds(30), pacedBelow: 5)
        }
        _ = await client.start("a").value
        var moments: [Duration] = []
        for path in ["b", "c"] as [Route.Path] {
            let task = client.start(path)
            await client.waitForQueue(of: 1)
            await clock.advanceToNextDeadline()
            #expect(await task.value == nil)
            moments.append(clock.now.offset)
        }
        #expect(moments == [.seconds(30), .seconds(60)])
    }

    @Test("A threshold below 1 is a declaration error, and an explanation contains the threshold")
    func declaration() async throws {
        for number in [0, -1, .min] {
            let (client, stub) = client(.json("1")) { Limit(concurrent: 1, pacedBelow: number) }
            let error = await client.start("a").value
            let text = "Limit(pacedBelow: \(number)): no call would be paced; give 1 or more, or omit it"
            #expect(error?.description.contains(text) == true, "\(String(describing: error))")
            #expect(stub.requests.isEmpty)
        }
        let (client, _) = client(.json("1")) {
            Limit.byServer(to: .eachOrigin, pacedBelow: 20)
            Limit(10, per: .seconds(1), pacedBelow: .max)
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        let text = "Limit: by the server to each origin, paced below 20, 10 in 1 s, paced below \(Int.max)"
        #expect(try endpoint.explanation.contains(text))
        #expect(await client.start("a").value == nil)
    }
}
