import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Coalescing", .inTurn, .safetyNet)
struct CoalescingTests {
    @Test("Identical requests in flight share one transfer and its response")
    func sharing() async throws {
        let bench = CoalescingBench { Self.marking(1) }
        let calls = (1...20).map { _ in bench.call() }
        await bench.waitForMembers([20])
        await bench.waitForTransfers(1)
        bench.gate.open()
        for call in calls { #expect(try await call.value.get() == 1) }
        #expect(bench.stub.requests.count == 1)
        #expect(bench.events.all == Array(repeating: "shared", count: 19))
        #expect(bench.flights.memberCounts.isEmpty)
        // A completed transfer is not shared.
        #expect(try await bench.call().value.get() == 2)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let one: any Scope.RepeatableClause
        let other: any Scope.RepeatableClause
    }

    @Test(
        "Requests that differ in any part do not share a transfer",
        arguments: [
            Row(testDescription: "query", one: Query("a", 1), other: Query("a", 2)),
            Row(testDescription: "field", one: Header("X-A", "1"), other: Header("X-A", "2")),
            Row(testDescription: "credential", one: Authorization(.bearer("a")), other: Authorization(.bearer("b"))),
            Row(testDescription: "sources", one: Authorization(.bearer { "a" }), other: Authorization(.bearer { "b" })),
            Row(testDescription: "success", one: Success(.success), other: Success(.success, 404)),
            Row(testDescription: "links", one: Route.Links(to: .baseOrigin), other: Route.Links(to: .linkedOrigin)),
            Row(testDescription: "middlewares of attempts", one: Self.marking(1), other: Self.marking(2)),
            Row(testDescription: "middlewares that cannot be compared", one: Self.opaque(), other: Self.opaque()),
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

    private struct Marking: Middleware, Hashable {
        let mark: Int

        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            try await next(request)
        }
    }

    private static func marking(_ mark: Int) -> Use { Use(Marking(mark: mark), around: .eachAttempt) }

    private static func opaque() -> Use {
        struct Opaque: Middleware {
            let mark = 1

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        return Use(Opaque(), around: .eachAttempt)
    }

    private static func stateless() -> Use {
        struct Stateless: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        return Use(Stateless(), around: .eachAttempt)
    }

    @Test(
        "Requests through equal middleware of one declaration share a transfer",
        arguments: [
            Row(testDescription: "equal values", one: Self.marking(1), other: Self.marking(1)),
            Row(testDescription: "no properties", one: Self.stateless(), other: Self.stateless()),
        ]
    )
    func equalMiddlewares(row: Row) async throws {
        let bench = CoalescingBench()
        let calls = [Scope.of(row.one), Scope.of(row.other)].map { scope in bench.call { scope } }
        await bench.waitForMembers([2])
        bench.gate.open()
        for call in calls { #expect(try await call.value.get() == 1) }
    }

    @Test("Requests through equal middleware of two declarations do not share a transfer")
    func twoDeclarations() async throws {
        let bench = CoalescingBench()
        let calls = [
            bench.call { Use(Marking(mark: 1), around: .eachAttempt) },
            bench.call { Use(Marking(mark: 1), around: .eachAttempt) },
        ]
        await bench.stub.waitForRequests(count: 2)
        bench.gate.open()
        for call in calls { _ = try await call.value.get() }
    }

    @Test("Requests with equal credentials share a transfer, whatever the credential's source")
    func credentials() async throws {
        let bench = CoalescingBench()
        let calls = [bench.call { Authorization(.bearer("a")) }, bench.call { Authorization(.bearer { "a" }) }]
        await bench.waitForMembers([2])
        bench.gate.open()
        for call in calls { #expect(try await call.value.get() == 1) }
    }

    @Test("A failed shared transfer fails every call with a separate error")
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

    @Test("The error of a failed shared transfer contains each call's own template")
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
            Task { await failure { try await endpoint.send() } }
        }
        let flights = client.context.storage.state(for: "coalescing") { InFlightRequests() }
        await waitUntil { flights.memberCounts == [2] }
        gate.open()
        #expect(await tasks[0].value?.call.template == "a")
        #expect(await tasks[1].value?.call.template == "{}")
        #expect(stub.requests.count == 1)
    }
}
