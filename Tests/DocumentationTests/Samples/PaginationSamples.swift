import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> {
        resource("products") {
            Envelope("data")
            Paginated(.cursor(at: "meta", "next", as: "after", size: .query("limit", 50)))
        }
    }
}

private struct Country: Entity { let id: String }

private struct Atlas: API {
    let client: Client

    var countries: Resource<Country, ReadOnly> {
        resource("countries") { Paginated.none }
    }
}

private struct Order: Entity { let id: Int }

extension Shop {
    fileprivate var orders: Resource<Order, ReadOnly> {
        resource("orders") { Paginated(.pageNumber(size: .query("per_page", 20), total: .field("X-Total"))) }
    }
}

private struct Issue: Entity { let id: Int }

private struct Torrent: Entity { let id: Int }

private struct Tracker: API {
    let client: Client

    var issues: Resource<Issue, ReadOnly> {
        resource("issues") {
            Query("status", "open")
            Paginated(.link(keepsQuery: true))  // /issues?page=2&status=open
        }
    }

    var torrents: Resource<Torrent, ReadOnly> {
        resource("torrents") { Paginated(.offset(size: .query("limit", 100), startsOver: true)) }
    }
}

extension Shop {
    var hits: Endpoint<[Product]> {
        endpoint {
            POST("rpc")
            Body(["method": "search", "params": ["lamp"]] as JSONValue)
            Envelope("result")
            Paginated(.offset(.body("params", 1), size: .body("params", 2, count: 20)))  // "params":["lamp",0,20]
        }
    }
}

private enum Table {
    final class OrderTable {
        private let shop: Shop
        private let size = 20
        private(set) var orders: [Order] = []
        private(set) var number = 1
        private(set) var numbers = 1...1  // the numbers to choose from

        init(_ shop: Shop) { self.shop = shop }

        func show(page number: Int) async throws(APIError) {
            let page = try await shop.orders.page(at: .page(number, size: size))
            orders = page.items
            self.number = number
            numbers = 1...max(number, ((page.total ?? 0) + size - 1) / size)
        }
    }
}

nonisolated extension Paginated.Scheme {
    static let shelves = Paginated.Scheme("shelf", first: Paginated.Scheme.Request(query: ["shelf": "A"])) { page in
        guard let next = try page.value(at: "next_shelf")?.stringValue else { return nil }
        return Paginated.Scheme.Request(query: ["shelf": next])
    }
}

struct UnreadableMonth: Error {}

nonisolated extension Paginated.Scheme {
    static let months = Paginated.Scheme("month", first: Paginated.Scheme.Request(query: ["month": "1"])) { page in
        guard let month = page.request.query["month"].flatMap({ Int($0) }) else { throw UnreadableMonth() }
        return PageInfo(
            next: month < 12 ? Paginated.Scheme.Request(query: ["month": "\(month + 1)"]) : nil,
            previous: month > 1 ? Paginated.Scheme.Request(query: ["month": "\(month - 1)"]) : nil,
            total: try page.value(at: "count")?.intValue
        )
    }
}

@Suite("Pagination.md")
struct PaginationSamples {
    private func shop(_ responses: [StubResponse]) -> (Shop, StubTransport) {
        let stub = StubTransport(["GET products": .sequence(responses)])
        return (Shop(client: Client(Sample.url, transport: stub)), stub)
    }

    private func page(_ id: Int, next: String?) -> StubResponse {
        let product: JSONValue = ["id": .integer(id), "name": "Lamp"]
        return .json(["data": [product], "meta": ["next": next.map { .string($0) } ?? .null]] as JSONValue)
    }

    @Test("Pages, items and arrays in Pagination.md are read")
    func forms() async throws {
        let pages = [page(1, next: "b"), page(2, next: nil)]
        let (shop, stub) = shop([pages[0]] + pages + pages + pages)

        let page = try await shop.products.page()  // one

        for try await page in shop.products.pages {  // page by page
            print(page.number, page.items.count)
        }

        for try await product in shop.products.all {  // item by item
            print(product.name)
        }

        let first = try await shop.products.all.collect(upTo: 500)  // an array

        #expect(page.items.map(\.id) == [1])
        #expect(first.map(\.id) == [1, 2])
        #expect(stub.requests.map(\.query).suffix(2) == ["limit=50", "limit=50&after=b"])
    }

    @Test("The stored cursor in Pagination.md leads to the next page")
    func cursor() async throws {
        let (shop, stub) = shop([page(1, next: "b"), page(2, next: nil)])
        let page = try await shop.products.page()

        let stored = try JSONEncoder().encode(page.next)

        let saved = try JSONDecoder().decode(Cursor?.self, from: stored)
        if let saved {
            let following = try await shop.products.page(at: saved)
            print(following.items)
        }

        #expect(stub.requests.last?.query == "limit=50&after=b")
    }

    @Test("The links without a query in Pagination.md are followed with the original query")
    func keptQuery() async throws {
        let stub = StubTransport { request in
            request.query("page") == nil
                ? .json("[{\"id\":1}]").header("Link", "<?page=2>; rel=\"next\"") : .json("[{\"id\":2}]")
        }
        let shop = Tracker(client: Client(Sample.url, transport: stub))
        #expect(try await shop.issues.all.collect().map(\.id) == [1, 2])
        #expect(stub.requests.map(\.query) == ["status=open", "page=2&status=open"])
    }

    @Test("The list that starts over in Pagination.md is read once")
    func startingOver() async throws {
        let ids = 1...200
        let stub = StubTransport { request in
            let offset = request.query("offset").flatMap { Int($0) } ?? 0
            return .json(
                ids.dropFirst(offset >= 200 ? 0 : offset).prefix(100).map { ["id": .integer($0)] } as [JSONValue]
            )
        }
        let shop = Tracker(client: Client(Sample.url, transport: stub))
        #expect(try await shop.torrents.all.collect().map(\.id) == Array(ids))
        #expect(stub.requests.count == 3)
    }

    @Test("The page numbers in Pagination.md are requested, and the table has the available numbers")
    func pageNumbers() async throws {
        let stub = StubTransport { request in
            let size = request.query("per_page").flatMap { Int($0) } ?? 0
            let start = ((request.query("page").flatMap { Int($0) } ?? 1) - 1) * size
            let ids = (1...110).dropFirst(start).prefix(size)
            return .json(ids.map { ["id": .integer($0)] } as [JSONValue]).header("X-Total", "110")
        }
        let shop = Shop(client: Client(Sample.url, transport: stub))
        var numbers: [Int] = []
        func print(_ number: Int, _ count: Int) { numbers.append(number) }

        let third = try await shop.orders.page(at: .page(3))  // ?page=3&per_page=20
        let longer = try await shop.orders.page(at: .page(3, size: 50))  // ?page=3&per_page=50

        for try await page in shop.orders.pages(from: .page(3)) {
            print(page.number, page.items.count)
        }

        #expect(third.items.first?.id == 41)
        #expect(longer.items.map(\.id) == Array(101...110))
        #expect(numbers == [3, 4, 5, 6])
        #expect(stub.requests.prefix(2).map(\.query) == ["page=3&per_page=20", "page=3&per_page=50"])
        let table = Table.OrderTable(shop)
        try await table.show(page: 6)
        #expect(table.orders.count == 10 && table.number == 6)
        #expect(table.numbers == 1...6)
    }

    @Test("The failed walk in Pagination.md keeps the earlier pages, and its cursor leads to the failed page")
    func failing() async throws {
        let (shop, stub) = shop([page(1, next: "b"), .status(503), page(2, next: nil)])
        var items: [Product] = []
        func show(_ products: [Product]) { items += products }

        var resumption: Cursor?
        do throws(APIError) {
            var pages = shop.products.pages.makeAsyncIterator()
            while let page = try await pages.next() { show(page.items) }
        } catch {
            resumption = error.cursor  // pages(from:) continues here
        }

        #expect(items.map(\.id) == [1])
        let rest = try await shop.products.all(from: #require(resumption)).collect()
        #expect(rest.map(\.id) == [2])
        #expect(stub.requests.map(\.query) == ["limit=50", "limit=50&after=b", "limit=50&after=b"])
    }

    @Test("The text of a paging loop matches Pagination.md")
    func loop() async {
        let (shop, _) = shop([page(1, next: "abc"), page(2, next: "def"), page(3, next: "abc")])
        var numbers: [Int] = []
        let error = await Sample.failure {
            for try await page in shop.products.pages { numbers.append(page.number) }
        }
        #expect(numbers == [1, 2, 3])
        #expect(error?.description == loopText)
    }

    @Test("The loop in Pagination.md streams each page")
    func streaming() async throws {
        let (shop, stub) = shop([page(1, next: "b"), page(2, next: "c"), page(3, next: nil)])

        for try await product in shop.products.all(streaming: true) {
            print(product.name)
        }

        #expect(stub.requests.count == 3)
    }

    @Test("The loop in Pagination.md reads ahead")
    func readAhead() async throws {
        let (shop, stub) = shop([page(1, next: "b"), page(2, next: "c"), page(3, next: nil)])

        for try await product in shop.products.all(readAhead: 2) {
            print(product.name)
        }

        #expect(stub.requests.count == 3)
    }

    @Test("The custom scheme in Pagination.md leads to the next page")
    func ownScheme() async throws {
        let stub = StubTransport([
            "GET products": .sequence([
                .json(#"{"items":[1],"next_shelf":"B"}"#), .json(#"{"items":[2]}"#),
            ])
        ])
        let products: Endpoint<[Int]> = Client(Sample.url, transport: stub).endpoint {
            GET("products")
            Envelope("items")
            Paginated(.shelves)
        }
        #expect(try await products.all.collect() == [1, 2])
        #expect(stub.requests.map(\.query) == ["shelf=A", "shelf=B"])
    }

    @Test("The custom scheme in Pagination.md leads to the previous page and has a total")
    func months() async throws {
        let stub = StubTransport { _ in .json(#"{"items":[1],"count":12}"#) }
        let events: Endpoint<[Int]> = Client(Sample.url, transport: stub).endpoint {
            GET("events")
            Envelope("items")
            Paginated(.months, repeats: .items)
        }
        #expect(try await events.all.collect().count == 12)
        let second = try await events.page(at: #require(try await events.page().next))
        #expect(second.total == 12)
        let back: Cursor = try #require(second.previous)
        #expect(try events.pagePlan(at: back).url.query() == "month=1")
    }

    @Test("The list in Pagination.md excluded from the client's pagination is a single response")
    func excepted() async throws {
        let stub = StubTransport(["GET countries": .json(#"[{"id":"is"},{"id":"pt"}]"#)])
        let client = Client(Sample.url, transport: stub) { Paginated(.cursor(at: "next", as: "after")) }
        let countries = Atlas(client: client).countries
        #expect(try await countries.list().map(\.id) == ["is", "pt"])
        await #expect(throws: APIError.self) { try await countries.page() }
        #expect(stub.requests.count == 1)
    }

    @Test("The parameters of Paginated in Pagination.md walk pages numbered from 0")
    func parameters() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"items":[1],"meta":{"pages":2}}"#), .json(#"{"meta":{"pages":2}}"#),
            ])
        ])
        let items: Endpoint<[Int]> = Client(Sample.url, transport: stub).endpoint {
            GET("items")
            Envelope("items")
            Paginated(
                .pageNumber("p", startingAt: 0, size: .query("n", 100), pageCount: .value("meta", "pages")),
                maximumPages: 1_000,
                missingList: .isEmpty
            )
        }
        #expect(try await items.all.collect() == [1])
        #expect(stub.requests.map(\.query) == ["p=0&n=100", "p=1&n=100"])
    }

    @Test("The tables in Pagination.md list all parameters and all members of Paginated.Scheme.Response")
    func parameterTables() throws {
        let page = try Repository.page("Documentation/Declare/Pagination.md")
        let schemes = try Repository.files(below: "Sources/Waybill/Pagination/Schemes", withExtension: "swift")
            .filter { $0.contains("Pagination+") }.map { try Repository.text(of: $0) }.joined()
        let declarations = schemes.matches(
            of: /public static func \w+\(\n(.*?)\n    \) -> Paginated\.Scheme/.dotMatchesNewlines()
        )
        let declared = declarations.flatMap { declaration in
            declaration.output.1.split(separator: "\n").map { line -> String in
                let words = line.prefix { $0 != ":" }.split(separator: " ")
                return words.first == "_" ? "_ target" : String(words.first ?? "")
            }
        }
        #expect(Set(page.rows(ofTableUnder: "Parameter").map { $0[0] }) == Set(declared.map { "`\($0)`" }))

        let response = try Repository.text(of: "Sources/Waybill/Pagination/Schemes/Pagination+Response.swift")
        let members = response.matches(of: /public (?:let|var|func) (\w+)/).map { String($0.output.1) }
        let rows = page.rows(ofTableUnder: "Member").map { $0[0].prefix { $0 != "(" }.filter { $0 != "`" } }
        #expect(Set(rows) == Set(members))
    }

    /// A scheme in the table and its page: the body beside the items, and a header field.
    struct Row: Sendable {
        let code: String
        let scheme: Paginated.Scheme
        var beside = "{}"
        var field: (name: String, value: String)?
    }

    static let rows = [
        Row(
            code: #".pageNumber(size: .query("per_page", 50))"#,
            scheme: .pageNumber(size: .query("per_page", 50))
        ),
        Row(
            code: #".pageNumber(total: .field("X-Total"))"#,
            scheme: .pageNumber(total: .field("X-Total")),
            field: ("X-Total", "120")
        ),
        Row(
            code: #".offset(size: .query("limit", 2), total: .value("count"))"#,
            scheme: .offset(size: .query("limit", 2), total: .value("count")),
            beside: #"{"count":120}"#
        ),
        Row(
            code: #".offset(.body("from"), size: .body("limit", count: 2))"#,
            scheme: .offset(.body("from"), size: .body("limit", count: 2))
        ),
        Row(
            code: #".cursor(at: "meta", "next", as: "after")"#,
            scheme: .cursor(at: "meta", "next", as: "after"),
            beside: #"{"meta":{"next":"abc"}}"#
        ),
        Row(
            code: #".cursor(field: "X-Continuation", as: .field("X-Continuation"))"#,
            scheme: .cursor(field: "X-Continuation", as: .field("X-Continuation")),
            field: ("X-Continuation", "abc")
        ),
        Row(
            code: #".cursor(at: "next", as: .body("paging", "token"))"#,
            scheme: .cursor(at: "next", as: .body("paging", "token")),
            beside: #"{"next":"abc"}"#
        ),
        Row(
            code: #".cursor(at: "LastEvaluatedKey", as: .body("ExclusiveStartKey"))"#,
            scheme: .cursor(at: "LastEvaluatedKey", as: .body("ExclusiveStartKey")),
            beside: #"{"LastEvaluatedKey":{"id":{"S":"a"}}}"#
        ),
        Row(
            code: #".after(lastItem: "id", as: "starting_after", hasMore: .value("has_more"))"#,
            scheme: .after(lastItem: "id", as: "starting_after", hasMore: .value("has_more")),
            beside: #"{"has_more":true}"#
        ),
        Row(code: ".link()", scheme: .link(), field: ("Link", #"</items?page=2>; rel="next""#)),
        Row(
            code: #".next(at: "links", "next")"#,
            scheme: .next(at: "links", "next"),
            beside: #"{"links":{"next":"/items?c=2"}}"#
        ),
        Row(code: #".next(field: "Next-Page")"#, scheme: .next(field: "Next-Page"), field: ("Next-Page", "/items?c=2")),
    ]

    @Test("The offset and the size in Pagination.md are elements of an array")
    func elements() async throws {
        let stub = StubTransport { _ in .json(#"{"result":[]}"#) }
        let shop = Shop(client: Client(Sample.url, transport: stub))
        _ = try await shop.hits.page()
        #expect(stub.requests.map(\.text) == [#"{"method":"search","params":["lamp",0,20]}"#])
    }

    @Test("The table of schemes in Pagination.md lists the next request of each scheme")
    func table() async throws {
        var expected: [[String]] = []
        for row in Self.rows {
            let says = row.field.map { "`\($0.name): \($0.value)`" } ?? "`\(row.beside)`"
            let isSilent = row.field == nil && row.beside == "{}"
            expected.append([
                "`\(row.code)`", isSilent ? "nothing: an empty page follows the last one" : says,
                "`\(try await nextRequest(row))`",
            ])
        }
        #expect(try Repository.page("Documentation/Declare/Pagination.md").rows(ofTableUnder: "Scheme") == expected)
    }

    /// Returns the request for the second page as text.
    private func nextRequest(_ row: Row) async throws -> String {
        let body = "{\"items\":[{\"id\":1},{\"id\":2}]" + (row.beside == "{}" ? "}" : "," + row.beside.dropFirst())
        let response = row.field.map { StubResponse.json(body).header($0.name, $0.value) } ?? .json(body)
        let items: Endpoint<[JSONValue]> = Client(Sample.url, transport: StubTransport { _ in response }).endpoint {
            GET("items")
            Envelope("items")
            Paginated(row.scheme)
        }
        let page = try await items.page()
        let next: Cursor = try #require(page.next)
        let plan = try items.pagePlan(at: next)
        if let body = plan.body?.bytes { return String(decoding: body, as: UTF8.self) }
        if let field = plan.headerFields.first(where: { $0.name.rawName == row.field?.name }) {
            return "\(field.name): \(field.value)"
        }
        let query = plan.url.query().map { "?\($0)" } ?? ""
        return row.code.hasPrefix(".link") || row.code.hasPrefix(".next") ? plan.url.path() + query : query
    }
}

/// The text of the error, not indented because its first line has the maximum line length.
private let loopText = """
    GET products cannot be paged further: the next page was already read; allow it with Paginated(…, repeats: .requests)
      https://shop.example/products?limit=50&after=def, page 4
    """
