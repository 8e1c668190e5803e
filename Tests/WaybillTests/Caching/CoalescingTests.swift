import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Coalescing", .timeLimit(.minutes(5)))
struct CoalescingTests {
    @Test("Identical requests on their way share one transfer, and its response")
    func sharing() async throws {
        let bench = CoalescingBench { Self.marking() }
        let calls = (1...20).map { _ in bench.call() }
        await bench.waitForMembers([20])
        await bench.waitForTransfers(1)
        bench.gate.open()
        for call in calls { #expect(try await call.value.get() == 1) }
        #expect(bench.stub.requests.count == 1)
        #expect(bench.events.all == Array(repeating: "shared", count: 19))
        #expect(bench.flights.memberCounts.isEmpty)
        // What has landed is nobody's any more.
        #expect(try await bench.call().value.get() == 2)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let one: any RepeatableClause
        let other: any RepeatableClause
    }

    @Test(
        "Requests that differ in anything do not",
        arguments: [
            Row(testDescription: "query", one: Query("a", 1), other: Query("a", 2)),
            Row(testDescription: "field", one: Header("X-A", "1"), other: Header("X-A", "2")),
            Row(testDescription: "credential", one: Authorization(.bearer("a")), other: Authorization(.bearer("b"))),
            Row(testDescription: "sources", one: Authorization(.bearer { "a" }), other: Authorization(.bearer { "b" })),
            Row(testDescription: "success", one: Success(.success), other: Success(.success, 404)),
            Row(testDescription: "middlewares of attempts", one: Self.marking(), other: Self.marking()),
            Row(testDescription: "none", one: Coalesced.none, other: Coalesced.none),
        ]
    )
    func differing(row: Row) async throws {
        let bench = CoalescingBench()
        let calls = [Scope.of(row.one), Scope.of(row.other)].map { scope in bench.call { scope } }
        await bench.stub.waitForRequests(count: 2)
        bench.gate.open()
        var numbers: [Int] = []
        for call in calls { numbers.append(try await call.value.get()) }
        #expect(numbers.sorted() == [1, 2])
    }

    private static func marking() -> Use {
        struct Marking: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        return Use(Marking(), around: .eachAttempt)
    }

    @Test("Equal credentials share, wherever they come from")
    func credentials() async throws {
        let bench = CoalescingBench()
        let calls = [bench.call { Authorization(.bearer("a")) }, bench.call { Authorization(.bearer { "a" }) }]
        await bench.waitForMembers([2])
        bench.gate.open()
        for call in calls { #expect(try await call.value.get() == 1) }
    }

    @Test("A failure fails all, each with its own call")
    func failing() async throws {
        let bench = CoalescingBench(status: 503)
        let calls = (1...5).map { _ in bench.call() }
        await bench.waitForMembers([5])
        bench.gate.open()
        for call in calls {
            guard case .failure(.status(let failure)) = await call.value else {
                Issue.record("expected a failed status")
                return
            }
            #expect(failure.status == 503)
        }
        #expect(bench.stub.requests.count == 1)
    }

    @Test("A transport's failure names the call that it failed, by its own template")
    func failingTransport() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.waitUntilOpen()
            throw TransportError(.connectionLost)
        }
        let client = Client(Shop.url, transport: stub) { Coalesced() }
        let one: Endpoint<Int> = client.endpoint { GET("a") }
        let other: Endpoint<Int> = client.endpoint { GET("\("a")") }
        let tasks = [one, other].map { endpoint in
            Task { await failure { () async throws(APIError) in try await endpoint.send() } }
        }
        let flights = client.context.shared.state(for: "coalescing") { Flights() }
        await waitUntil { flights.memberCounts == [2] }
        gate.open()
        #expect(await tasks[0].value?.call.template == "a")
        #expect(await tasks[1].value?.call.template == "{}")
        #expect(stub.requests.count == 1)
    }
}
