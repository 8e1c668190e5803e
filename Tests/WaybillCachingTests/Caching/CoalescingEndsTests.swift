import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Coalescing: cancellation, late calls, and changes", .inTurn, .safetyNet)
struct CoalescingEndsTests {
    @Test(
        "Cancelling a call does not affect calls that share its transfer, even if it was the first",
        arguments: [0, 1, 2]
    )
    func cancellingOne(place: Int) async throws {
        let bench = CoalescingBench()
        let calls = (0...2).map { _ in bench.call() }
        await bench.waitForMembers([3])
        calls[place].cancel()
        guard case .failure(.cancelled) = await calls[place].value else {
            Issue.record("expected a cancelled call")
            return
        }
        #expect(bench.flights.memberCounts == [2])
        bench.gate.open()
        for (index, call) in calls.enumerated() where index != place { #expect(try await call.value.get() == 1) }
        #expect(bench.stub.requests.count == 1)
    }

    @Test("A shared transfer is cancelled with its last call, and the next call starts another")
    func cancellingAll() async throws {
        let bench = CoalescingBench()
        let calls = (0...2).map { _ in bench.call() }
        await bench.waitForMembers([3])
        await bench.waitForTransfers(1)
        for call in calls { call.cancel() }
        for call in calls {
            guard case .failure(.cancelled) = await call.value else {
                Issue.record("expected a cancelled call"); return
            }
        }
        #expect(bench.flights.memberCounts.isEmpty)
        let later = bench.call()
        await bench.waitForTransfers(2)
        bench.gate.open()
        #expect(try await later.value.get() == 2)
        await waitUntil { bench.ends.all.count == 2 }
        #expect(bench.ends.all.sorted() == ["cancelled", "completed"])
    }

    @Test("A call after a change to its URL does not join a transfer from before the change")
    func changes() async throws {
        let bench = CoalescingBench()
        let before = bench.call()
        await bench.waitForMembers([1])
        await bench.waitForTransfers(1)
        try await bench.client.delete("b")
        let joined = bench.call()
        await bench.waitForMembers([2])
        try await bench.client.delete("a")
        let after = bench.call()
        await bench.waitForMembers([1, 2])
        bench.gate.open()
        #expect(try await before.value.get() == 1)
        #expect(try await joined.value.get() == 1)
        #expect(try await after.value.get() == 2)
    }

    @Test("A shared response from before a change to its URL is not cached")
    func changesAtCache() async throws {
        let (gate, count, cache) = (Gate(), Lines(), HTTPCache())
        let stub = StubTransport { request in
            guard request.method.isSafe else { return .status(204) }
            let number = count.add("")
            if number == 1 { await gate.waitUntilOpen() }
            return .json("\(number)", headers: CacheOwnerTests.fields)
        }
        let client = Client(Shop.url, transport: stub, dates: Client.DateProvider { FreshnessTests.exampleDate }) {
            Cached(in: cache)
        }
        let reading: Endpoint<Int> = client.endpoint {
            GET("a")
            Coalesced()
        }
        let before = Task { try await reading.send() }
        await waitUntil { count.all.count == 1 }
        try await client.delete("a")
        let after = Task { try await reading.send() }
        await waitUntil { count.all.count == 2 }
        gate.open()
        #expect(try await after.value == 2)
        #expect(try await before.value == 1)
        #expect(try await reading.send() == 2)
    }

    @Test("POST requests with equal bodies do not share a transfer")
    func changing() async throws {
        let bench = CoalescingBench()
        async let one: Void = bench.client.post("a", body: 1)
        async let other: Void = bench.client.post("a", body: 1)
        _ = try await (one, other)
        #expect(bench.stub.requests.count == 2)
    }

    @Test("Calls that share transfers and are cancelled in any order all end")
    func storm() async throws {
        let bench = CoalescingBench()
        bench.gate.open()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                let call = bench.call("p\(number % 7)")
                if number % 3 == 0 { call.cancel() }
                group.addTask {
                    switch await call.value {
                    case .success, .failure(.cancelled): break
                    case .failure(let error): Issue.record("\(error)")
                    }
                }
            }
        }
        #expect(bench.flights.memberCounts.isEmpty)
    }

    @Test("Calls that miss the cache share one transfer, which is cached once")
    func belowCache() async throws {
        let gate = Gate()
        let cache = HTTPCache()
        let stub = StubTransport { _ in
            await gate.waitUntilOpen()
            return .json("1", headers: CacheOwnerTests.fields)
        }
        let client = Client(Shop.url, transport: stub, dates: Client.DateProvider { FreshnessTests.exampleDate }) {
            Cached(in: cache)
            Coalesced()
        }
        let calls = (1...5).map { _ in Task { try await client.get("a", as: Int.self) } }
        let flights = client.context.storage.state(for: "coalescing") { InFlightRequests() }
        await waitUntil { flights.memberCounts == [5] }
        gate.open()
        for call in calls { #expect(try await call.value == 1) }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(stub.requests.count == 1)
    }
}
