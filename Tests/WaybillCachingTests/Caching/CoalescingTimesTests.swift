import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Coalescing: time limits", .inTurn, .safetyNet)
struct CoalescingTimesTests {
    @Test("If the first of several calls sharing a transfer times out, only that call ends")
    func deadlines() async throws {
        let bench = CoalescingBench()
        let short = bench.call { Timeout(.seconds(1)) }
        await bench.waitForMembers([1])
        let long = bench.call { Timeout(.seconds(10)) }
        let endless = bench.call()
        await bench.waitForMembers([3])
        bench.clock.advance(by: .seconds(1))
        guard case .failure(.timeout) = await short.value else {
            Issue.record("expected a timeout")
            return
        }
        #expect(bench.flights.memberCounts == [2])
        bench.gate.open()
        #expect(try await long.value.get() == 1)
        #expect(try await endless.value.get() == 1)
    }

    @Test("Calls with time left send again if the shared transfer fails by the first call's timeout")
    func lateness() async throws {
        let (gate, clock, shared) = (Gate(), ManualClock(), ClientStorage())
        let client = Client(Shop.url, transport: StubTransport([:])) { Coalesced() }
        let plan = try client.endpoint { GET("a") }.plan()
        func call(_ limit: Duration) -> Call {
            let context = ClientContext(time: AnyClock(clock), storage: shared)
            let deadline = Deadline(limit, on: context.time)
            return Call(plan: plan, context: CallContext(client: context, deadline: deadline))
        }
        let (short, long) = (call(.seconds(1)), call(.seconds(10)))
        let step = try #require(CoalescingStep(Coalesced(), of: short))
        let flights = shared.state(for: "coalescing") { InFlightRequests() }
        let first = Task {
            await failure {
                try await step.handle(plan.request, of: short) { (_) async throws(APIError) in
                    await gate.waitUntilOpen()
                    throw .timeout(APIError.TimeoutFailure(call: plan.failedCall(), limit: .seconds(1)))
                }
            }
        }
        await waitUntil { flights.memberCounts == [1] }
        let second = Task {
            try await step.handle(plan.request, of: long) { (request) async throws(APIError) in
                CallResponse(HTTPResponse(status: 204), to: request)
            }
        }
        await waitUntil { flights.memberCounts == [2] }
        clock.advance(by: .seconds(2))
        gate.open()
        guard case .timeout = await first.value else {
            Issue.record("expected a timeout")
            return
        }
        #expect(try await second.value.status == 204)
    }

    @Test("The timeout of a call sharing a transfer includes the transfer's attempts")
    func attemptsUntilThen() async throws {
        let clock = ManualClock()
        let stub = StubTransport(["GET a": .sequence([.status(503), .never])])
        let client = Client(Shop.url, transport: stub, clock: clock, randomNumberGenerator: .half) {
            Coalesced()
            Retry(attempts: 2, backoff: .constant(.seconds(3)))
            Timeout(.seconds(5))
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        let call = Task { await failure { try await endpoint.send() } }
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(3))
        await stub.waitForRequests(count: 2)
        clock.advance(by: .seconds(2))
        let error = await call.value
        guard case .timeout? = error else {
            Issue.record("expected a timeout, not \(String(describing: error))")
            return
        }
        #expect(error?.call.attempt == 2)
        #expect(error?.call.earlierFailures.map(\.status) == [503])
    }

    @Test("A failure that the first call has no time to retry is not shared with calls that do")
    func noTimeToRetry() async throws {
        let (gate, clock) = (Gate(), ManualClock())
        let stub = StubTransport(["GET a": .sequence([StubResponse.status(503).held(by: gate), .json("1")])])
        let client = Client(Shop.url, transport: stub, clock: clock) {
            Coalesced()
            Retry(backoff: .constant(.seconds(5)))
        }
        let flights = client.context.storage.state(for: "coalescing") { InFlightRequests() }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        let hurried = endpoint.with { Timeout(.seconds(1)) }
        let short = Task { await failure { try await hurried.send() } }
        await waitUntil { flights.memberCounts == [1] }
        let long = Task { try await endpoint.send() }
        await waitUntil { flights.memberCounts == [2] }
        gate.open()
        #expect(await short.value?.call.retryRejection.map { "\($0)" }?.contains("deadline") ?? false)
        #expect(try await long.value == 1)
        #expect(stub.requests.count == 2)
    }
}
