import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Page iteration", .inTurn, .safetyNet)
struct WalkingTests {
    private typealias Item = PaginationTests.Item

    private static func page(_ ids: [Int], _ beside: String = "") -> StubResponse { PaginationTests.page(ids, beside) }

    private func items(
        _ transport: some Transport,
        _ paginated: Paginated = Paginated(.cursor(at: "next", as: "after"))
    ) -> Endpoint<[Item]> {
        Shop(transport).endpoint {
            GET("items")
            Envelope("items")
            paginated
        }
    }

    private func collect(_ pages: Pages<Item>) async -> ([[Int]], APIError?) {
        var read: [[Int]] = []
        var iterator = pages.makeAsyncIterator()
        do throws(APIError) {
            while let page = try await iterator.next() { read.append(page.items.map(\.id)) }
            return (read, nil)
        } catch {
            // Iteration is over after an error.
            let after = await failure { try await iterator.next() }
            #expect(after == nil)
            return (read, error)
        }
    }

    @Test("Pages are fetched only when iteration reaches them")
    func lazy() async throws {
        let stub = StubTransport(["GET items": .sequence([Self.page([1, 2], #""next":"x""#), Self.page([3])])])
        var iterator = items(stub).all.makeAsyncIterator()
        #expect(stub.requests.isEmpty)
        #expect(try await iterator.next() == Item(id: 1))
        #expect(try await iterator.next() == Item(id: 2))
        #expect(stub.requests.count == 1)
        #expect(try await iterator.next() == Item(id: 3))
        #expect(try await iterator.next() == nil)
        #expect(stub.requests.count == 2)
    }

    @Test("A stored cursor continues with another client")
    func resuming() async throws {
        let first = StubTransport(["GET items": .response(Self.page([1], #""next":"x""#))])
        let cursor = try #require(try await items(first).page().next)
        let stored = try JSONEncoder().encode(cursor)

        let second = StubTransport(["GET items": .response(Self.page([2]))])
        let page = try await items(second).page(at: JSONDecoder().decode(Cursor.self, from: stored))
        #expect(page.items == [Item(id: 2)])
        #expect(page.number == 2)
        #expect(!page.hasMore)
        #expect(second.requests.map(\.query) == ["after=x"])
    }

    @Test("An error on a page follows the earlier pages, and its cursor leads to the failed page")
    func failingPage() async throws {
        let stub = StubTransport([
            "GET items": .sequence([Self.page([1], #""next":"x""#), Self.page([2], #""next":"y""#), .status(500)])
        ])
        let (pages, error) = await collect(items(stub).pages)
        #expect(pages == [[1], [2]])
        #expect(error?.status == 500)
        #expect(error?.cursor?.pageNumber == 3)

        let again = StubTransport(["GET items": .response(Self.page([3]))])
        let page = try await items(again).page(at: #require(error?.cursor))
        #expect(page.items == [Item(id: 3)])
        #expect(again.requests.map(\.query) == ["after=y"])
        #expect(
            error?.description == """
                GET items failed: 500 Internal Server Error
                  https://shop.example/v1/items?after=y, page 3
                """
        )
    }

    struct Stop: CustomTestStringConvertible {
        let testDescription: String
        var paginated = Paginated(.cursor(at: "next", as: "after"))
        var responses: [StubResponse]
        var pages: [[Int]]
        var text: String
    }

    private static let loop = "the next page was already read; allow it with Paginated(…, repeats: .requests)"

    private static let repeated =
        "the page has the same items as the previous one, so the server may ignore the page's parameters; if it "
        + "starts over past the end instead, declare startsOver: true in the scheme; if pages can be equal, declare "
        + "Paginated(…, maximumPages: 1_000, repeats: .items)"

    struct Walked: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let paginated: Paginated
        let responses: [StubResponse]
        let pages: [[Int]]
    }

    @Test(
        "Iteration continues past repeated requests, repeated items or an estimated total if declared",
        arguments: [
            Walked(
                testDescription: "a token that stays the same while the items change",
                paginated: Paginated(.cursor(at: "next", as: "scroll"), repeats: .requests),
                responses: [page([1], #""next":"x""#), page([2], #""next":"x""#), page([3], #""next":"x""#), page([])],
                pages: [[1], [2], [3], []]
            ),
            Walked(
                testDescription: "pages with the same items",
                paginated: Paginated(.pageNumber(), repeats: .items),
                responses: [page([1]), page([1]), page([])],
                pages: [[1], [1], []]
            ),
            Walked(
                testDescription: "a total that is an estimate",
                paginated: Paginated(.cursor(at: "next", as: "after", total: .value("total")), totals: .estimated),
                responses: [page([1], #""next":"x","total":100"#), page([2], #""total":100"#)],
                pages: [[1], [2]]
            ),
        ]
    )
    func goesOn(_ walked: Walked) async {
        let stub = StubTransport(["GET items": .sequence(walked.responses)])
        let (pages, error) = await collect(items(stub, walked.paginated).pages)
        #expect(pages == walked.pages)
        #expect(error == nil)
    }

    @Test(
        "An error that stops iteration follows the earlier pages",
        arguments: [
            Stop(
                testDescription: "a page that leads to itself",
                responses: [page([1], #""next":"x""#), page([2], #""next":"x""#)],
                pages: [[1], [2]],
                text: loop
            ),
            Stop(
                testDescription: "pages that lead in a circle",
                responses: [page([1], #""next":"x""#), page([2], #""next":"y""#), page([3], #""next":"x""#)],
                pages: [[1], [2], [3]],
                text: loop
            ),
            Stop(
                testDescription: "a server that ignores the number of the page",
                paginated: Paginated(.pageNumber()),
                responses: [page([1, 2])],
                pages: [[1, 2]],
                text: repeated
            ),
            Stop(
                testDescription: "a server that ignores the offset, and gives a total",
                paginated: Paginated(.offset(total: .value("total"))),
                responses: [page([1, 2], #""total":4"#)],
                pages: [[1, 2]],
                text: repeated
            ),
            Stop(
                testDescription: "a token that stays the same, as is declared, and the items too",
                paginated: Paginated(.cursor(at: "next", as: "after"), repeats: .requests),
                responses: [page([1], #""next":"x""#), page([2], #""next":"x""#), page([2], #""next":"x""#)],
                pages: [[1], [2]],
                text: repeated
            ),
            Stop(
                testDescription: "fewer items than the total",
                paginated: Paginated(.cursor(at: "token", as: "after", total: .value("total"))),
                responses: [page([1, 2], #""next":"x","total":5"#)],
                pages: [[1, 2]],
                text: "the walk ended after 2 items, but the server's total is 5; if that is an estimate, "
                    + "declare Paginated(…, totals: .estimated)"
            ),
            Stop(
                testDescription: "an empty page before the total",
                paginated: Paginated(.offset(total: .value("total"))),
                responses: [page([1, 2], #""total":3"#), page([], #""total":3"#)],
                pages: [[1, 2], []],
                text: "the walk ended after 2 items, but the server's total is 3; if that is an estimate, "
                    + "declare Paginated(…, totals: .estimated)"
            ),
            Stop(
                testDescription: "more items than the total",
                paginated: Paginated(.cursor(at: "next", as: "after", total: .value("total"))),
                responses: [page([1, 2], #""next":"x","total":3"#), page([2, 3], #""total":3"#)],
                pages: [[1, 2], [2, 3]],
                text: "the walk ended after 4 items, but the server's total is 3, so pages overlap; check the "
                    + "first number or offset (startingAt:), or declare keepsQuery: true if the server's links lack the "
                    + "query; if the total is an estimate, declare "
                    + "Paginated(…, totals: .estimated)"
            ),
            Stop(
                testDescription: "a foreign origin",
                paginated: Paginated(.next(at: "next")),
                responses: [page([1], #""next":"https://evil.example/v1/items""#)],
                pages: [[1]],
                text: "the next page is on another origin, https://evil.example; \(proxyAdvice); if it is another"
                    + " server, allow it with Paginated(…, otherOrigins: [\"https://evil.example\"]), without a credential"
            ),
            Stop(
                testDescription: "another port is another origin",
                paginated: Paginated(.next(at: "next")),
                responses: [page([1], #""next":"https://shop.example:444/v1/items""#)],
                pages: [[1]],
                text: "the next page is on another origin, https://shop.example:444; \(proxyAdvice); if it is another"
                    + " server, allow it with Paginated(…, otherOrigins: [\"https://shop.example:444\"]), without a credential"
            ),
            Stop(
                testDescription: "an invalid link",
                paginated: Paginated(.next(at: "next")),
                responses: [page([1], #""next":"javascript:alert(1)""#)],
                pages: [[1]],
                text: "the link to the next page is not a URL: javascript:alert(1)"
            ),
            Stop(
                testDescription: "more pages than are allowed",
                paginated: Paginated(.pageNumber(), maximumPages: 2),
                responses: [page([1]), page([2])],
                pages: [[1], [2]],
                text: "there are more pages than the 2 allowed by Paginated(…, maximumPages:)"
            ),
            Stop(
                testDescription: "an invalid token",
                responses: [page([1], #""next":{"a":1}"#)],
                pages: [],
                text:
                    "the token for the next page is neither text nor a number, but an object; one of this kind goes into"
                    + " a JSON body only: as: .body(…)"
            ),
            Stop(
                testDescription: "a last item without the key",
                paginated: Paginated(.after(lastItem: "key", as: "since")),
                responses: [page([1])],
                pages: [],
                text: "the last item has no value at key"
            ),
        ]
    )
    func stops(_ stop: Stop) async {
        let stub = StubTransport(["GET items": .sequence(stop.responses)])
        let (pages, error) = await collect(items(stub, stop.paginated).pages)
        #expect(pages == stop.pages)
        guard case .pagination(let failure) = error else {
            Issue.record("expected a pagination failure, got \(String(describing: error))")
            return
        }
        #expect(failure.reason.description == stop.text)
    }

    @Test("A cursor from another scheme and an endpoint without Paginated send nothing")
    func rejections() async throws {
        let stub = StubTransport(["GET items": .response(Self.page([1], #""next":"x""#))])
        let cursor = try #require(try await items(stub).page().next)
        let other = await failure {
            try await items(stub, Paginated(.pageNumber())).page(at: cursor)
        }
        #expect(
            other?.description == """
                GET items cannot be paged: the cursor was made for items by the scheme cursor:after
                  https://shop.example/v1/items?after=x, page 2
                """
        )
        let undeclared: Endpoint<[Item]> = Shop(stub).endpoint { GET("items") }
        let none = await failure { try await undeclared.page() }
        #expect(
            none?.description == """
                GET items cannot be paged: no pagination scheme is declared; declare one, such as Paginated(.link())
                  nothing was sent
                """
        )
        #expect(stub.requests.count == 1)
    }

    @Test("Pagination by cursors fails if a page leads to itself")
    func loopByHand() async throws {
        let stub = StubTransport(["GET items": .response(Self.page([1], #""next":"x""#))])
        let second = try await items(stub).page(at: #require(items(stub).page().next))
        let next = try #require(second.next)
        let error = await failure { try await items(stub).page(at: next) }
        guard case .pagination(let failure) = error, failure.reason == .loop else {
            Issue.record("expected a loop, got \(String(describing: error))")
            return
        }
        #expect(stub.requests.count == 2)
    }

    @Test("Going back is possible if the server or the scheme provides the previous page")
    func backwards() async throws {
        let link = StubTransport([
            "GET items": .sequence([
                PaginationTests.page([3], headers: PaginationTests.field("Link", "<?page=1>; rel=previous")),
                Self.page([1]),
            ])
        ])
        let linked = items(link, Paginated(.link()))
        let last = try await linked.page()
        let first = try await linked.page(at: #require(last.previous))
        #expect(first.items == [Item(id: 1)])
        #expect(first.previous == nil)

        let numbers = StubTransport { request in Self.page([request.query("page").flatMap { Int($0) } ?? 0]) }
        let numbered = items(numbers, Paginated(.pageNumber(total: .value("total"))))
        let next = try #require(try await numbered.page().next)
        let third = try await numbered.page(at: #require(numbered.page(at: next).next))
        let second = try await numbered.page(at: #require(third.previous))
        #expect(second.number == 2)
        #expect(try await numbered.page(at: #require(second.previous)).previous == nil)
        #expect(numbers.requests.map(\.query) == ["page=1", "page=2", "page=3", "page=2", "page=1"])
    }

    @Test("Reading ahead fetches the declared number of pages and yields the same pages in order")
    func readAhead() async throws {
        let stub = StubTransport { request in
            let number = Int(request.query("page") ?? "") ?? 0
            return Self.page(number > 6 ? [] : [number])
        }
        let pages = items(stub, Paginated(.pageNumber())).pages(readAhead: 2)
        var iterator = pages.makeAsyncIterator()
        var read: [Int] = []
        read += try #require(await iterator.next()).items.map(\.id)
        // The returned page and two more.
        let ahead = await stub.waitForRequests(count: 3)
        #expect(ahead.count == 3)
        while let page = try await iterator.next() { read += page.items.map(\.id) }
        #expect(read == [1, 2, 3, 4, 5, 6])
        #expect(stub.requests.map { $0.query("page") } == (1...7).map { "\($0)" })
    }

    @Test("An error while reading ahead follows the pages before it")
    func readAheadFailure() async {
        let stub = StubTransport(["GET items": .sequence([Self.page([1]), Self.page([2]), .status(503)])])
        let (pages, error) = await collect(items(stub, Paginated(.pageNumber())).pages(readAhead: 4))
        #expect(pages == [[1], [2]])
        #expect(error?.status == 503)
        #expect(stub.requests.count == 3)
    }

    @Test("Credentials and secret fields are not sent with a page request to an allowed origin")
    func credentials() async throws {
        let stub = StubTransport { request in
            request.url.host == "cdn.example"
                ? Self.page([2]) : Self.page([1], #""next":"https://cdn.example/x""#)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(.bearer("secret")) }
        let endpoint: Endpoint<[Item]> = client.endpoint {
            GET("items")
            Envelope("items")
            Header("X-Key", "k", secret: true)
            Paginated(.next(at: "next"), otherOrigins: ["https://cdn.example"])
        }
        #expect(try await endpoint.all.collect() == [Item(id: 1), Item(id: 2)])
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer secret", nil])
        #expect(stub.requests.map { $0.headerFields.contains { $0.name.canonicalName == "x-key" } } == [true, false])
    }

    @Test("A secret query item is added to a next-page link that lacks it")
    func querySecrets() async throws {
        let stub = StubTransport(["GET items": .sequence([Self.page([1], #""next":"?page=2""#), Self.page([2])])])
        let client = Client(Shop.url, transport: stub) { Query("api_key", "k", secret: true) }
        let endpoint: Endpoint<[Item]> = client.endpoint {
            GET("items")
            Query("kind", "new")
            Envelope("items")
            Paginated(.next(at: "next"))
        }
        _ = try await endpoint.all.collect()
        #expect(stub.requests.map(\.query) == ["api_key=k&kind=new", "page=2&api_key=k"])
    }

    @Test("A cursor of another list with the same scheme is rejected")
    func cursorOfAnotherList() async throws {
        let stub = StubTransport(["GET items": .response(Self.page([1], #""next":"x""#))])
        let cursor = try #require(try await items(stub).page().next)
        let others: Endpoint<[Item]> = Shop(stub).endpoint {
            GET("others")
            Envelope("items")
            Paginated(.cursor(at: "next", as: "after"))
        }
        let error = await failure { try await others.page(at: cursor) }
        #expect(
            error?.description == """
                GET others cannot be paged: the cursor was made for items by the scheme cursor:after
                  https://shop.example/v1/others?after=x, page 2
                """
        )
        #expect(stub.requests.count == 1)
    }

    @Test("A query item of the same or an inner scope overrides the page size with its name")
    func pageSize() async throws {
        let stub = StubTransport(["GET items": .sequence([Self.page([1], #""next":"x""#), Self.page([])])])
        let paginated = Paginated(.cursor(at: "next", as: "after", size: .query("limit", 50)))
        let resource: Resource<Product, ReadOnly> = Shop(stub) { Query("limit", 10) }.resource("items") { paginated }
        #expect(try resource.endpoints.list().pagePlan().url.query == "limit=50")
        let endpoint: Endpoint<[Item]> = resource.endpoint {
            GET("\(.resource)")
            Envelope("items")
            Query("limit", 40)
        }
        _ = try await endpoint.all.collect()
        #expect(stub.requests.map(\.query) == ["limit=40", "limit=40&after=x"])
    }
}
