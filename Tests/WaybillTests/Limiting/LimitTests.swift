import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Limit: calls wait for their turn")
struct LimitTests {
    private static func client(
        _ transport: some Transport,
        clock: some Clock<Duration> = ManualClock(),
        @ScopeBuilder _ clauses: () -> Scope
    ) -> Client {
        Client(
            Shop.url,
            transport: transport,
            clock: clock,
            dates: DateSource { Date(timeIntervalSince1970: 1_800_000_000) },
            clauses
        )
    }

    private static func paths(_ stub: StubTransport) -> [String] { stub.requests.map { $0.url.lastPathComponent } }

    @Test("At most so many on their way, the others in the order in which they came")
    func concurrent() async {
        let gate = Gate()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = Self.client(stub) { Limit(concurrent: 2) }
        var tasks = ["a", "b"].map { client.start($0) }
        await stub.waitForRequests(count: 2)
        for (place, path) in (["c", "d", "e", "f"] as [RequestPath]).enumerated() {
            tasks.append(client.start(path))
            await client.waitForQueue(of: place + 1)
        }
        // Out of the middle, and the last one.
        tasks[3].cancel()
        tasks[5].cancel()
        await client.waitForQueue(of: 2)
        #expect(stub.requests.count == 2)
        gate.open()
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

    @Test("A call has its place until its body has been read", arguments: [200, 500])
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
        "A call that fails, whatever way, gives its place to the next one",
        arguments: [
            .failure(TransportError(.connectionLost)), .json("1").truncated(after: 0), .json("x"), .status(404),
            .status(302),
        ] as [Answer]
    )
    func failing(answer: Answer) async {
        let stub = StubTransport([
            "GET a": .answer(answer), "GET b": .json("1"),
        ])
        let client = Self.client(stub) { Limit(concurrent: 1) }
        #expect(await client.start("a").value != nil)
        #expect(await client.start("b").value == nil)
        #expect(client.limiter.isAtRest)
    }

    @Test("At most so many in any stretch of time, by the clock that was given; between calls nothing sleeps")
    func rate() async {
        let clock = ManualClock()
        let stub = StubTransport { _ in .json("1") }
        let client = Self.client(stub, clock: clock) { Limit(2, per: .seconds(10)) }
        var tasks: [Task<APIError?, Never>] = []
        for path in ["a", "b"] as [RequestPath] {
            #expect(await client.start(path).value == nil)
            clock.advance(by: .seconds(2))
        }
        #expect(clock.deadlines.isEmpty)
        for (place, path) in (["c", "d", "e"] as [RequestPath]).enumerated() {
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

    @Test("Rate and concurrency hold together, a client's and a resource's too; none takes them away")
    func together() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = Self.client(stub, clock: clock) {
            Limit(concurrent: 3)
            Limit(5, per: .seconds(10))
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Limit(concurrent: 1, scope: .host)
        }
        #expect(try endpoint.explanation.contains("Limit: 1 at once to each host"))
        #expect(try endpoint.explanation.contains("before client: 3 at once, 5 in 10.0 seconds"))
        let first = Task { await failure(endpoint.send) }
        await stub.waitForRequests(count: 1)
        let second = Task { await failure(endpoint.send) }
        await client.waitForQueue(of: 1)
        var others = ["b", "c"].map { client.start($0) }
        await stub.waitForRequests(count: 3)
        others.append(client.start("d"))
        await client.waitForQueue(of: 2)
        let free = client.start("e") { Limit.none }
        await stub.waitForRequests(count: 4)
        gate.open()
        for task in others + [first, second, free] { #expect(await task.value == nil) }
        #expect(Self.paths(stub) == ["a", "b", "c", "e"] + Self.paths(stub).suffix(2))
        #expect(Self.paths(stub).suffix(2).sorted() == ["a", "d"])
        // Five of its kind have been sent; "e" was none of them.
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

    @Test("A declaration is one limit for all calls that it holds for; a second one like it is another")
    func identity() async {
        let gate = Gate()
        let stub = StubTransport { _ in .json(#"{"id":1,"name":"L"}"#).held(by: gate) }
        let shelf = Shelf(client: Self.client(stub) {})
        func start(_ endpoint: Endpoint<Product>) -> Task<APIError?, Never> { Task { await failure(endpoint.send) } }
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
        #expect(Self.paths(stub) == ["1", "3", "4"])
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(Set(Self.paths(stub)) == ["1", "2", "3", "4", "5"])
    }

    @Test("A call for a credential goes with the call that needs it, and not any longer")
    func credential() async {
        let gate = Gate()
        let stub = StubTransport(["GET token": .json("7"), "GET a": .json("1"), "GET b": .json("1").held(by: gate)])
        let late = Locked<Task<APIError?, Never>?>(nil)
        let begin = Gate()
        let client = Self.client(stub) { Limit(concurrent: 1) }
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
        #expect(Self.paths(stub) == ["token", "a"])
        // What was started on the way has no place of it any more.
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
            request.url = URL(string: "https://\(host)/a") ?? request.url
            return try await next(request)
        }
    }

    @Test("A limit of a host counts for each alone", arguments: [Limit.Extent.client, .host])
    func hosts(extent: Limit.Extent) async {
        let gate = Gate()
        let stub = StubTransport { _ in .json("1").held(by: gate) }
        let client = Self.client(stub) { Limit(concurrent: 1, scope: extent) }
        let tasks = ["a", "b", "a"].map { host in client.start("x") { Use(ToHost(host: "\(host).example")) } }
        let expected = extent == .host ? 2 : 1
        await stub.waitForRequests(count: expected)
        await client.waitForQueue(of: 3 - expected)
        #expect(stub.requests.count == expected)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.requests.count == 3)
    }

    @Test("Only a call that waits says so")
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

    @Test("A wait ends with the call's time, and nothing of it remains")
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
