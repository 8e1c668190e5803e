import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTransfers

@testable import WaybillTesting

@Suite("Streamed pages", .largeInTurn, .safetyNet)
struct StreamedPagesTests {
    private typealias Item = PaginationTests.Item

    /// An item without an identifier, whose pages are compared by their bytes.
    struct Name: Decodable, Sendable, Equatable { let id: Int }

    private static func items<Element: Decodable & Sendable>(
        _ client: Client,
        _ paginated: Paginated,
        of type: Element.Type = Item.self
    ) -> Endpoint<[Element]> {
        client.endpoint {
            GET("items")
            Envelope("items")
            paginated
        }
    }

    private static func collect<Element>(
        _ items: Pages<Element>.Items
    ) async -> (items: [Element], error: APIError?) where Element: Sendable {
        var read: [Element] = []
        var iterator = items.makeAsyncIterator()
        do throws(APIError) {
            while let item = try await iterator.next() { read.append(item) }
            return (read, nil)
        } catch {
            // Iteration is over after an error.
            let after = await failure { try await iterator.next() }
            #expect(after == nil)
            return (read, error)
        }
    }

    static let early: [(paginated: Paginated, first: StubResponse)] = [
        (Paginated(.cursor(at: "next", as: "after")), .json(#"{"next":"x","items":[{"id":1},{"id":2}]}"#)),
        (
            Paginated(.link()),
            .json(#"{"items":[{"id":1},{"id":2}]}"#).header("Link", #"<items?page=2>; rel="next""#)
        ),
        (
            Paginated(.cursor(at: "meta", "next", as: "after", total: .value("meta", "total")), totals: .estimated),
            .json(#"{"meta":{"next":"x","total":3},"items":[{"id":1},{"id":2}]}"#)
        ),
    ]

    @Test("The next page is requested while the list is arriving if its cursor is known", arguments: 0..<3)
    func ahead(_ row: Int) async throws {
        let (paginated, first) = Self.early[row]
        // The last bytes of the first page arrive only after the second page has been requested.
        let responses: Responder = .sequence([
            first.dripped(bytes: first.body.count - 6, every: .seconds(600)), .json(#"{"items":[{"id":3}]}"#),
        ])
        try await LoopbackServer.run(["GET items": responses]) { server async throws in
            var items = Self.items(Client(server.url), paginated).all(streaming: true).makeAsyncIterator()
            #expect(try await items.next() == Item(id: 1))
            _ = await server.waitForRequests(count: 2)
            #expect(server.requestCount == 2)
        }
    }

    @Test("If its cursor follows the list, the next page is requested after the page has ended")
    func behind() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"items":[{"id":1},{"id":2}],"next":"x"}"#), .json(#"{"items":[{"id":3}]}"#),
            ])
        ])
        let client = Client(Shop.url, transport: stub)
        var items = Self.items(client, Paginated(.cursor(at: "next", as: "after"))).all(streaming: true)
            .makeAsyncIterator()
        #expect(try await items.next() == Item(id: 1))
        #expect(try await items.next() == Item(id: 2))
        #expect(stub.requests.count == 1)
        #expect(try await items.next() == Item(id: 3))
        #expect(try await items.next() == nil)
        #expect(stub.requests.map { $0.url.query } == [nil, "after=x"])
    }

    @Test("Pausing iteration suspends both pages", arguments: Carrier.without(.buffersWithoutBound))
    func backpressure(_ carrier: Carrier) async throws {
        let count = Thoroughness.repetitions(24_000_000, otherwise: 14_000_000)
        let filler = Data(repeating: UInt8(ascii: " "), count: count)
        let first = Data(#"{"next":"x","items":[{"id":1},"#.utf8) + filler + Data(#"{"id":2}]}"#.utf8)
        let second = Data(#"{"items":[{"id":3},"#.utf8) + filler + Data(#"{"id":4}]}"#.utf8)
        let transport = try carrier.transport(Carrier.Settings(bufferedBytes: 10_000, allowsSilence: true))
        let responses: StubResponses = [
            "GET items": .sequence([.bytes(first).closing(), .bytes(second).closing()]), "GET fine": .text("fine"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport)
            var items = Self.items(client, Paginated(.cursor(at: "next", as: "after"))).all(streaming: true)
                .makeAsyncIterator()
            #expect(try await items.next() == Item(id: 1))
            _ = await server.waitForRequests(count: 2)
            for _ in 0..<Thoroughness.repetitions(100, otherwise: 40) { try await transport.expectWorks(server) }
            // Each server would close its connection after sending its entire response.
            #expect(server.openConnections == 3)
            var rest: [Int] = []
            while let item = try await items.next() { rest.append(item.id) }
            #expect(rest == [2, 3, 4])
        }
    }

    @Test("Abandoning iteration closes the connections of both pages", arguments: Carrier.without(.buffersWithoutBound))
    func left(_ carrier: Carrier) async throws {
        let slow = StubResponse.json(#"{"next":"x","items":[{"id":1},{"id":2}]}"#)
            .dripped(bytes: 30, every: .seconds(600))
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET items": .response(slow)]) { server async throws in
            let client = Client(server.url, transport: transport)
            for try await _ in Self.items(client, Paginated(.cursor(at: "next", as: "after"))).all(streaming: true) {
                _ = await server.waitForRequests(count: 2)
                break
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("A limit of one concurrent call does not block the next page")
    func limited() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"next":"x","items":[{"id":1},{"id":2}]}"#), .json(#"{"items":[{"id":3}]}"#),
            ])
        ])
        let client = Client(Shop.url, transport: stub) { Limit(concurrent: 1) }
        let read = await Self.collect(
            Self.items(client, Paginated(.cursor(at: "next", as: "after"))).all(streaming: true)
        )
        #expect(read.error == nil)
        #expect(read.items.map(\.id) == [1, 2, 3])
    }

    @Test("An error within a page follows the items before it, and its cursor leads to the page")
    func brokenPage() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"next":"x","items":[{"id":1}]}"#), .json(#"{"items":[{"id":2},{"id":"y"}]}"#),
            ])
        ])
        let client = Client(Shop.url, transport: stub)
        let read = await Self.collect(
            Self.items(client, Paginated(.cursor(at: "next", as: "after"))).all(streaming: true)
        )
        #expect(read.items.map(\.id) == [1, 2])
        guard case .decoding(let failure)? = read.error else { return unexpected(read.error) }
        #expect(failure.path == "items[1].id")
        #expect(read.error?.cursor?.pageNumber == 2)
    }

    @Test("Streaming continues from a stored cursor and counts the items before it")
    func resumed() async throws {
        let scheme = Paginated.Scheme.offset(total: .value("total"))
        let pages: [StubResponse] = [
            .json(#"{"total":3,"items":[{"id":1},{"id":2}]}"#), .json(#"{"total":3,"items":[{"id":3}]}"#),
        ]
        let first = StubTransport(["GET items": .response(pages[0])])
        let page = try await Self.items(Client(Shop.url, transport: first), Paginated(scheme)).page()
        let cursor = try #require(page.next)
        let second = StubTransport(["GET items": .response(pages[1])])
        let endpoint = Self.items(Client(Shop.url, transport: second), Paginated(scheme))
        let read = await Self.collect(endpoint.all(streaming: true, from: cursor))
        #expect(read.error == nil)
        #expect(read.items.map(\.id) == [3])
        #expect(second.requests.map { $0.url.query } == ["offset=2"])
    }

    @Test("Lost items, loops and too many pages are errors after the received items")
    func walks() async throws {
        let page = { (ids: [Int], beside: String) -> StubResponse in
            .json("{\(beside)\"items\":[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]}")
        }
        let cursor = Paginated.Scheme.cursor(at: "next", as: "after", total: .value("total"))
        let rows: [(Paginated, [StubResponse], [Int], APIError.PaginationFailure.Reason)] = [
            (Paginated(cursor), [page([1], #""next":"x","#), page([2], #""next":"x","#)], [1, 2], .loop),
            (
                Paginated(cursor), [page([1, 2], #""next":"x","#), page([1, 2], #""next":"y","#)], [1, 2, 1, 2],
                .repeatedItems
            ),
            (Paginated(cursor), [page([1], #""total":2,"#)], [1], .missingItems(count: 1, total: 2)),
            (Paginated(cursor, maximumPages: 1), [page([1], #""next":"x","#)], [1], .tooManyPages(limit: 1)),
        ]
        for (paginated, responses, ids, reason) in rows {
            let stub = StubTransport(["GET items": .sequence(responses)])
            let client = Client(Shop.url, transport: stub)
            let read = await Self.collect(Self.items(client, paginated).all(streaming: true))
            #expect(read.items.map(\.id) == ids)
            guard case .pagination(let failure)? = read.error else { return unexpected(read.error) }
            #expect(failure.reason == reason)
            #expect((0...1).contains(stub.requests.count - responses.count))
        }
    }

    @Test("Pages of items without identifiers are compared by their bytes")
    func repeatedBytes() async throws {
        let page = StubResponse.json(#"{"items":[{"id":1}]}"#)
        let numbered = Paginated(.pageNumber(), maximumPages: 5)
        let client = Client(Shop.url, transport: StubTransport(["GET items": .response(page)]))
        let read = await Self.collect(Self.items(client, numbered, of: Name.self).all(streaming: true))
        #expect(read.items.map(\.id) == [1, 1])
        guard case .pagination(let failure)? = read.error else { return unexpected(read.error) }
        #expect(failure.reason == .repeatedItems)
    }

    @Test("A custom scheme that reads an item of a streamed page is an error rather than the end")
    func readsItem() async throws {
        let scheme = Paginated.Scheme("app") { page in
            (try? page.value(at: "items", -1, "id"))?.intValue.map {
                Paginated.Scheme.Request(query: ["after": "\($0)"])
            }
        }
        let client = Client(Shop.url, transport: StubTransport(["GET items": .json(#"{"items":[{"id":1}]}"#)]))
        let read = await Self.collect(Self.items(client, Paginated(scheme)).all(streaming: true))
        #expect(read.items.map(\.id) == [1])
        guard case .pagination(let failure)? = read.error else { return unexpected(read.error) }
        #expect(failure.description.contains("items[-1].id contains the page's items"), "\(failure)")
    }

    @Test("Streaming omits invalid items but counts them toward the total")
    func dropped() async throws {
        let responses: [StubResponse] = [
            .json(#"{"items":[{"id":1},{"id":"x"}]}"#).header("X-Total", "3"),
            .json(#"{"items":[{"id":3}]}"#).header("X-Total", "3"),
        ]
        let stub = StubTransport(["GET items": .sequence(responses)])
        let client = Client(Shop.url, transport: stub) { DropInvalidItems() }
        let read = await Self.collect(
            Self.items(client, Paginated(.offset(total: .field("X-Total")))).all(streaming: true)
        )
        #expect(read.error == nil)
        #expect(read.items.map(\.id) == [1, 3])
        #expect(stub.requests.map { $0.url.query } == ["offset=0", "offset=2"])
    }

    @Test("Pages of JSON Lines are streamed using links in their header fields")
    func lines() async throws {
        let responses: [StubResponse] = [
            .text("{\"id\":1}\n{\"id\":2}\n", of: "application/jsonl").header("Link", #"<items?page=2>; rel="next""#),
            .text("{\"id\":3}\n", of: "application/jsonl"),
        ]
        let client = Client(Shop.url, transport: StubTransport(["GET items": .sequence(responses)]))
        let read = await Self.collect(Self.items(client, Paginated(.link())).all(streaming: true))
        #expect(read.error == nil)
        #expect(read.items.map(\.id) == [1, 2, 3])
    }

    @Test("all(streaming: false) reads page by page")
    func notStreaming() async throws {
        let stub = StubTransport(["GET items": .json(#"{"items":[{"id":1}]}"#)])
        let scheme = Paginated.Scheme.after(lastItem: "id", as: "after", hasMore: .value("more"))
        let client = Client(Shop.url, transport: stub)
        let read = await Self.collect(Self.items(client, Paginated(scheme)).all(streaming: false))
        #expect(read.items.first?.id == 1)
    }
}
