import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Element streams", .inTurn, .safetyNet)
struct ElementStreamTests {
    struct Order: Decodable, Sendable, Hashable {
        let id: Int
        var placedAt: Date?
    }

    struct Summary: Decodable, Sendable, Hashable { let total: Int }
    struct Page: Decodable, Sendable, Hashable { let page: Int }

    struct Outcome: Decodable, Sendable {
        let ok: Bool
        let error: String?
    }

    private static func withStream<Result>(
        of response: Responder,
        over carrier: Carrier,
        @Scope.Builder _ clauses: @Sendable () -> Scope = { Scope() },
        _ body: (Endpoint<[Order]>, LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let transport = try carrier.transport()
        return try await LoopbackServer.run(["GET orders": response]) { server async throws in
            let client = Client(server.url, transport: transport) { Problem(Problem.Details.self) }
            let orders: Resource<Order, ReadOnly> = client.resource("orders", clauses)
            return try await body(orders.endpoints.list(), server)
        }
    }

    private static func scope(@Scope.Builder _ clauses: () -> Scope) -> Scope { clauses() }

    /// Reads a stream until its end or its error.
    private static func read(_ stream: ElementStream<Order>) async -> (ids: [Int], error: APIError?) {
        var ids: [Int] = []
        var orders = stream.makeAsyncIterator()
        do throws(APIError) {
            while let order = try await orders.next() { ids.append(order.id) }
            return (ids, nil)
        } catch {
            return (ids, error)
        }
    }

    @Test(
        "A list in an envelope is streamed in chunks of any size, with the metadata before and after it",
        arguments: Carrier.allCases,
        [1, 7, 8192]
    )
    func envelope(_ carrier: Carrier, size: Int) async throws {
        let json = #"{"meta":{"page":3},"data":{"orders":[{"id":1,"placed_at":0}, {"id":2}],"x":9},"sum":{"total":2}}"#
        let clauses = { @Sendable in
            Self.scope {
                Envelope("data", "orders")
                Metadata(Page.self, at: "meta")
                Metadata(Summary.self, at: "sum")
                Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
            }
        }
        try await Self.withStream(of: .json(json).chunked(bytes: size), over: carrier, clauses) { endpoint, _ in
            let orders = try await endpoint.stream()
            #expect(orders.status == 200)
            #expect(orders.metadata(Page.self) == Page(page: 3))
            #expect(orders.metadata(Summary.self) == nil)
            var received: [Order] = []
            for try await order in orders { received.append(order) }
            #expect(received == [Order(id: 1, placedAt: Date(timeIntervalSince1970: 0)), Order(id: 2)])
            #expect(orders.metadata(Summary.self) == Summary(total: 2))
        }
    }

    @Test(
        "A second loop continues after the elements that the first loop consumed from a chunk",
        arguments: Carrier.allCases
    )
    func secondLoop(_ carrier: Carrier) async throws {
        let list = "[\((1...50).map { #"{"id":\#($0)}"# }.joined(separator: ","))]"
        try await Self.withStream(of: .json(list), over: carrier) { endpoint, _ in
            let orders = try await endpoint.stream()
            var ids: [Int] = []
            for count in [1, 20, 50] {
                for try await order in orders {
                    ids.append(order.id)
                    if ids.count == count { break }
                }
            }
            #expect(ids == Array(1...50))
            var rest = orders.makeAsyncIterator()
            let end = try await rest.next()
            #expect(end == nil)
        }
    }

    @Test("An element is returned before the rest of the list arrives", arguments: Carrier.allCases)
    func first(_ carrier: Carrier) async throws {
        let response: Responder = .json(#"[{"id":1},{"id":2},{"id":3}]"#).dripped(bytes: 12, every: .seconds(600))
        try await Self.withStream(of: response, over: carrier) { endpoint, server in
            for try await order in try await endpoint.stream() {
                #expect(order.id == 1)
                break
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test(
        "stream() throws a declared problem returned instead of the list",
        arguments: Carrier.allCases,
        [#"{"ok":false,"error":"closed"}"#, #"{"data":null,"ok":false,"error":"closed"}"#]
    )
    func problem(_ carrier: Carrier, json: String) async throws {
        let clauses = { @Sendable in
            Self.scope {
                Envelope("data")
                Problem(Outcome.self, on: .success, when: { !$0.ok })
            }
        }
        try await Self.withStream(of: .json(json), over: carrier, clauses) { endpoint, _ in
            let error = await #expect(throws: APIError.self) { try await endpoint.stream() }
            guard case .status(let failure)? = error else { return unexpected(error) }
            #expect(failure.problem(as: Outcome.self)?.error == "closed")
        }
    }

    @Test("A declared problem next to the list is thrown after the last element", arguments: Carrier.allCases)
    func lateProblem(_ carrier: Carrier) async throws {
        let json = #"{"data":[{"id":1}],"ok":false,"error":"cut short"}"#
        let clauses = { @Sendable in
            Self.scope {
                Envelope("data")
                Problem(Outcome.self, on: .success, when: { !$0.ok })
            }
        }
        try await Self.withStream(of: .json(json), over: carrier, clauses) { endpoint, _ in
            let (ids, error) = await Self.read(try await endpoint.stream())
            #expect(ids == [1])
            guard case .status(let failure)? = error else { return unexpected(error) }
            #expect(failure.problem(as: Outcome.self)?.error == "cut short")
        }
    }

    @Test("A failed status throws the declared problem, and nothing is streamed", arguments: Carrier.allCases)
    func status(_ carrier: Carrier) async throws {
        try await Self.withStream(of: .json(#"{"title":"Gone"}"#, status: 410), over: carrier) { endpoint, _ in
            let error = await #expect(throws: APIError.self) { try await endpoint.stream() }
            guard case .status(let failure)? = error else { return unexpected(error) }
            #expect(failure.problem(as: Problem.Details.self)?.title == "Gone")
        }
    }

    @Test(
        "A successful body without the list is a decoding error, never an empty list",
        arguments: Carrier.allCases,
        ["", "{}", "null", #"{"dat":[]}"#, "<html></html>", #"{"data":{}}"#, "[]"]
    )
    func noList(_ carrier: Carrier, json: String) async throws {
        try await Self.withStream(of: .json(json), over: carrier, { Envelope("data") }) { endpoint, _ in
            let error = await #expect(throws: APIError.self) { try await endpoint.stream() }
            guard case .decoding? = error else { return unexpected(error) }
        }
    }

    @Test("A list cut off by the body's end throws after its last complete element", arguments: Carrier.allCases)
    func cut(_ carrier: Carrier) async throws {
        try await Self.withStream(of: .json(#"[{"id":1},{"id":2},{"i"#), over: carrier) { endpoint, _ in
            let (ids, error) = await Self.read(try await endpoint.stream())
            #expect(ids == [1, 2])
            guard case .decoding? = error else { return unexpected(error) }
        }
    }

    @Test("An interrupted body throws a transport failure after its last complete element", arguments: Carrier.allCases)
    func brokenOff(_ carrier: Carrier) async throws {
        let response: Responder = .json(#"[{"id":1},{"id":2}]"#).truncated(afterBytes: 12)
        try await Self.withStream(of: response, over: carrier) { endpoint, _ in
            let (ids, error) = await Self.read(try await endpoint.stream())
            #expect(ids == [1])
            guard case .transport(let failure)? = error else { return unexpected(error) }
            #expect(failure.error.kind == .connectionLost)
        }
    }

    @Test("An element's error has its path, line, column, and an excerpt without secrets", arguments: Carrier.allCases)
    func place(_ carrier: Carrier) async throws {
        let json = "{\"data\":[\n{\"id\":1},\n{\"password\":\"swordfish\",\"id\":\"x\"}]}"
        let clauses = { @Sendable in Self.scope { Envelope("data") } }
        try await Self.withStream(of: .json(json).chunked(bytes: 5), over: carrier, clauses) { endpoint, _ in
            let (ids, error) = await Self.read(try await endpoint.stream())
            #expect(ids == [1])
            guard case .decoding(let failure)? = error else { return unexpected(error) }
            #expect(failure.path == "data[1].id")
            #expect(failure.position?.line == 3)
            #expect(failure.position?.column == 30)
            #expect(failure.diagnosis?.excerpt.first?.contains("id") == true)
            #expect(!"\(failure)".contains("swordfish"))
            #expect("\(failure)".contains("data[1].id (line 3, column 30): expected"))
        }
    }

    @Test("DropInvalidItems drops invalid elements and reports the first 100", arguments: Carrier.allCases)
    func dropped(_ carrier: Carrier) async throws {
        let bad = Array(repeating: #"{"id":"x"}"#, count: 120).joined(separator: ",")
        let clauses = { @Sendable in Self.scope { DropInvalidItems() } }
        try await Self.withStream(of: .json(#"[{"id":1},\#(bad),{"id":2}]"#), over: carrier, clauses) { endpoint, _ in
            let stream = try await endpoint.stream()
            let (ids, error) = await Self.read(stream)
            #expect(ids == [1, 2])
            #expect(error == nil)
            #expect(stream.droppedItemCount == 120)
            #expect(stream.droppedItems.map(\.index) == Array(1...100))
            #expect(stream.droppedItems.first?.diagnosis?.path == "[1].id")
        }
    }

    @Test("Missing required metadata is an error after the last element", arguments: Carrier.allCases)
    func missingMetadata(_ carrier: Carrier) async throws {
        let clauses = { @Sendable in
            Self.scope {
                Envelope("data")
                Metadata(Summary.self, at: "sum")
            }
        }
        try await Self.withStream(of: .json(#"{"data":[{"id":1}]}"#), over: carrier, clauses) { endpoint, _ in
            let (ids, error) = await Self.read(try await endpoint.stream())
            #expect(ids == [1])
            guard case .decoding(let failure)? = error else { return unexpected(error) }
            #expect(failure.typeName == "Summary")
        }
    }

    @Test("Metadata around the list is decoded with an empty list", arguments: Carrier.allCases)
    func surroundingMetadata(_ carrier: Carrier) async throws {
        let clauses = { @Sendable in
            Self.scope {
                Envelope("data")
                Metadata(Summary.self)
            }
        }
        try await Self.withStream(of: .json(#"{"total":7,"data":[{"id":1}]}"#), over: carrier, clauses) { endpoint, _ in
            let stream = try await endpoint.stream()
            #expect(stream.metadata(Summary.self) == nil)
            #expect(await Self.read(stream).ids == [1])
            #expect(stream.metadata(Summary.self) == Summary(total: 7))
        }
    }

    @Test("A Timeout ends a list that never completes", arguments: Carrier.allCases)
    func timeout(_ carrier: Carrier) async throws {
        let clock = ManualClock()
        let transport = try carrier.transport()
        let response: Responder = .json(#"[{"id":1},{"id":2}]"#).dripped(bytes: 12, every: .seconds(600))
        try await LoopbackServer.run(["GET orders": response]) { server async throws in
            let client = Client(server.url, transport: transport, clock: clock) { Timeout(.seconds(30)) }
            let endpoint: Endpoint<[Order]> = client.endpoint { GET("orders") }
            let stream = try await endpoint.stream()
            async let read = Self.read(stream)
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(30))
            let (ids, error) = await read
            #expect(ids == [1])
            guard case .timeout(let timeout)? = error else { return unexpected(error) }
            #expect(timeout.limit == .seconds(30))
        }
    }

    @Test("A custom decoder and a negative index are declaration errors of stream()")
    func declarationErrors() async throws {
        let stub = StubTransport([:])
        let client = Client(URL(string: "https://example.com")!, transport: stub)
        let endpoint: Endpoint<[Order]> = client.endpoint {
            GET("orders")
            Decode(with: PropertyListDecoder())
            Envelope("data", -1)
        }
        let error = await #expect(throws: APIError.self) { try await endpoint.stream() }
        guard case .request(let failure)? = error else { return unexpected(error) }
        #expect(failure.declarationErrors.map(\.clause) == ["Decode", "Envelope"])
        #expect(stub.requests.isEmpty)
    }

    @Test("The last event of a streamed list is its end or its error")
    func events() async throws {
        for (json, last) in [(#"[{"id":1}]"#, "finished, 200 OK"), (#"[{"id":"x"}]"#, "failed")] {
            let recorder = Recorder()
            try await LoopbackServer.run(["GET orders": .json(json)]) { server async throws in
                let client = Client(server.url) { Observe(recorder) }
                let endpoint: Endpoint<[Order]> = client.endpoint { GET("orders") }
                _ = await Self.read(try await endpoint.stream())
                #expect(recorder.kinds.last?.hasPrefix(last) == true, "\(recorder.kinds)")
            }
        }
    }
}
