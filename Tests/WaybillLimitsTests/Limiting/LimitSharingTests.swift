import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Limit: sharing", .inTurn, .safetyNet)
struct LimitSharingTests {
    @Test("Rate and concurrency limits of client and resource apply together, and Limit.none disables them")
    func together() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = LimitTests.client(stub, clock: clock) {
            Limit(concurrent: 3)
            Limit(5, per: .seconds(10))
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Limit(concurrent: 1, to: .eachOrigin)
        }
        #expect(try endpoint.explanation.contains("Limit: 1 at once to each origin"))
        #expect(try endpoint.explanation.contains("before client: 3 at once, 5 in 10 s"))
        let first = Task { await failure { try await endpoint.send() } }
        await stub.waitForRequests(count: 1)
        let second = Task { await failure { try await endpoint.send() } }
        await client.waitForQueue(of: 1)
        var others = ["b", "c"].map { client.start($0) }
        await stub.waitForRequests(count: 3)
        others.append(client.start("d"))
        await client.waitForQueue(of: 2)
        let free = client.start("e") { Limit.none }
        await stub.waitForRequests(count: 4)
        gate.open()
        for task in others + [first, second, free] { #expect(await task.value == nil) }
        // Calls admitted at the same time are sent in any order.
        #expect(LimitTests.paths(stub).prefix(4).sorted() == ["a", "b", "c", "e"])
        #expect(LimitTests.paths(stub).suffix(2).sorted() == ["a", "d"])
        // Five calls under the rate limit have been sent. "e" is not one of them.
        let last = client.start("f")
        await client.waitForQueue(of: 1)
        #expect(await clock.advanceToNextDeadline() == .seconds(10))
        #expect(await last.value == nil)
    }

    struct Shelf: API {
        let client: Client
        static let shared = Limit(concurrent: 1)

        var lamps: Resource<Product, ReadWrite> { resource("lamps") { Limit(concurrent: 1) } }
        var chairs: Resource<Product, ReadWrite> { resource("chairs") { Limit(concurrent: 1) } }
        var tables: Resource<Product, ReadWrite> { resource("tables") { Self.shared } }
        var desks: Resource<Product, ReadWrite> { resource("desks") { Self.shared } }
    }

    @Test("A Limit value is shared by all calls below it, and an equal second value is a separate limit")
    func identity() async {
        let gate = Gate()
        let stub = StubTransport { _ in .json(#"{"id":1,"name":"L"}"#).held(by: gate) }
        let shelf = Shelf(client: LimitTests.client(stub) {})
        func start(_ endpoint: Endpoint<Product>) -> Task<APIError?, Never> {
            Task { await failure { try await endpoint.send() } }
        }
        var tasks = [start(shelf.lamps.endpoints.read(1))]
        await stub.waitForRequests(count: 1)
        tasks.append(start(shelf.lamps.endpoints.read(2)))
        await shelf.client.waitForQueue(of: 1)
        tasks.append(start(shelf.chairs.endpoints.read(3)))
        await stub.waitForRequests(count: 2)
        tasks.append(start(shelf.tables.endpoints.read(4)))
        await stub.waitForRequests(count: 3)
        tasks.append(start(shelf.desks.endpoints.read(5)))
        await shelf.client.waitForQueue(of: 2)
        #expect(LimitTests.paths(stub) == ["1", "3", "4"])
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(Set(LimitTests.paths(stub)) == ["1", "2", "3", "4", "5"])
    }

    @Test("A credential's call shares the permit of the call that needs it, but not afterward")
    func credential() async {
        let gate = Gate()
        let stub = StubTransport(["GET token": .json("7"), "GET a": .json("1"), "GET b": .json("1").held(by: gate)])
        let late = Locked<Task<APIError?, Never>?>(nil)
        let begin = Gate()
        let client = LimitTests.client(stub) { Limit(concurrent: 1) }
        let error = await client.start("a") {
            Authorization(
                .bearer {
                    late.withLock { task in
                        task = Task {
                            await begin.waitUntilOpen()
                            return await client.start("a").value
                        }
                    }
                    return "\(try await client.get("token", as: Int.self))"
                }
            )
        }.value
        #expect(error == nil)
        #expect(LimitTests.paths(stub) == ["token", "a"])
        // A call that starts later cannot use that permit.
        let other = client.start("b")
        await stub.waitForRequests(count: 3)
        begin.open()
        await client.waitForQueue(of: 1)
        gate.open()
        #expect(await other.value == nil)
        let task = late.withLock { $0 }
        #expect(task != nil)
        #expect(await task?.value == nil)
        #expect(client.limiter.isAtRest)
    }

    struct ToHost: Middleware {
        let host: String

        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            var request = request
            request.url = URL(string: "https://\(host)/a") ?? Shop.url
            return try await next(request)
        }
    }

    @Test(
        "A limit to each origin counts origins separately",
        arguments: [Limit.Destination.allOrigins, .eachOrigin]
    )
    func origins(destination: Limit.Destination) async {
        let gate = Gate()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = LimitTests.client(stub) { Limit(concurrent: 1, to: destination) }
        let tasks = ["a", "b", "a"].map { host in client.start("x") { Use(ToHost(host: "\(host).example")) } }
        let expected = destination == .eachOrigin ? 2 : 1
        await stub.waitForRequests(count: expected)
        await client.waitForQueue(of: 3 - expected)
        #expect(stub.requests.count == expected)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.requests.count == 3)
    }
}
