import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> {
        resource("products") {
            Envelope("data")
            Paginated(.cursor(at: "meta", "next", as: "after", size: PageSize("limit", 50)))
        }
    }
}

extension Pagination {
    static let shelves = Pagination("shelf", first: PageRequest(query: ["shelf": "A"])) { page in
        guard let next = try page.value(at: "next_shelf")?.stringValue else { return nil }
        return PageRequest(query: ["shelf": next])
    }
}

@Suite("Pagination.md")
struct PaginationSamples {
    private func shop(_ answers: [Answer]) -> (Shop, StubTransport) {
        let stub = StubTransport(["GET products": .sequence(answers)])
        return (Shop(client: Client(Sample.url, transport: stub)), stub)
    }

    private func page(_ id: Int, next: String?) -> Answer {
        let product: JSONValue = ["id": .integer(id), "name": "Lamp"]
        return .json(["data": [product], "meta": ["next": next.map { .string($0) } ?? .null]] as JSONValue)
    }

    @Test("Three forms")
    func forms() async throws {
        let pages = [page(1, next: "b"), page(2, next: nil)]
        let (shop, stub) = shop([pages[0]] + pages + pages + pages)

        let page = try await shop.products.page()  // one

        for try await page in shop.products.pages {  // one after the other
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

    @Test("A cursor to keep")
    func cursor() async throws {
        let (shop, stub) = shop([page(1, next: "b"), page(2, next: nil)])
        let page = try await shop.products.page()

        let stored = try JSONEncoder().encode(page.next)

        let saved = try JSONDecoder().decode(Cursor?.self, from: stored)
        if let saved {
            let following = try await shop.products.page(after: saved)
            print(following.items)
        }

        #expect(stub.requests.last?.query == "limit=50&after=b")
    }

    @Test("When a walk fails, the pages before are good, and the cursor leads to the one that failed")
    func failing() async throws {
        let (shop, stub) = shop([page(1, next: "b"), .status(503), page(2, next: nil)])
        var items: [Product] = []
        func save(_ products: [Product]) throws { items += products }

        var resumption: Cursor?
        do {
            for try await page in shop.products.pages { try save(page.items) }
        } catch let error as APIError {
            resumption = error.cursor  // pages(after:) goes on here
        }

        #expect(items.map(\.id) == [1])
        let rest = try await shop.products.all(after: #require(resumption)).collect()
        #expect(rest.map(\.id) == [2])
        #expect(stub.requests.map(\.query) == ["limit=50", "limit=50&after=b", "limit=50&after=b"])
    }

    @Test("A loop ends with an error that says so")
    func loop() async throws {
        let (shop, _) = shop([page(1, next: "abc"), page(2, next: "def"), page(3, next: "abc")])
        var pages = shop.products.pages.makeAsyncIterator()
        for _ in 1...3 { _ = try await pages.next() }
        let error = await Sample.failure { () async throws(APIError) in try await pages.next() }
        #expect(error?.description == loopText)
    }

    @Test("Ahead of the loop")
    func readAhead() async throws {
        let (shop, stub) = shop([page(1, next: "b"), page(2, next: "c"), page(3, next: nil)])

        for try await product in shop.products.all(readAhead: 2) {
            print(product.name)
        }

        #expect(stub.requests.count == 3)
    }

    @Test("A scheme of one's own")
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

    /// A scheme as the table has it, and a page: its body beside the items, and a header field.
    struct Row: Sendable {
        let code: String
        let scheme: Pagination
        var beside = "{}"
        var field: (name: String, value: String)?
    }

    static let rows = [
        Row(
            code: #".pageNumber(size: PageSize("per_page", 50))"#,
            scheme: .pageNumber(size: PageSize("per_page", 50))
        ),
        Row(
            code: #".pageNumber(total: .field("X-Total"))"#,
            scheme: .pageNumber(total: .field("X-Total")),
            field: ("X-Total", "120")
        ),
        Row(
            code: #".offset(size: PageSize("limit", 2), total: .value("count"))"#,
            scheme: .offset(size: PageSize("limit", 2), total: .value("count")),
            beside: #"{"count":120}"#
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

    @Test("The table of schemes is what they do")
    func table() async throws {
        var expected: [[String]] = []
        for row in Self.rows {
            let says = row.field.map { "`\($0.name): \($0.value)`" } ?? "`\(row.beside)`"
            let isSilent = row.field == nil && row.beside == "{}"
            expected.append([
                "`\(row.code)`", isSilent ? "nothing: an empty page is behind the last one" : says,
                "`\(try await nextRequest(row))`",
            ])
        }
        #expect(try Repository.page("Documentation/Pagination.md").rows(ofTableUnder: "Scheme") == expected)
    }

    /// What the request for the second page has.
    private func nextRequest(_ row: Row) async throws -> String {
        let body = "{\"items\":[{\"id\":1},{\"id\":2}]" + (row.beside == "{}" ? "}" : "," + row.beside.dropFirst())
        let answer = row.field.map { Answer.json(body).header($0.name, $0.value) } ?? .json(body)
        let items: Endpoint<[JSONValue]> = Client(Sample.url, transport: StubTransport { _ in answer }).endpoint {
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
        let query = plan.url.value.query().map { "?\($0)" } ?? ""
        return row.code.hasPrefix(".link") || row.code.hasPrefix(".next") ? plan.url.value.path() + query : query
    }
}

/// At the margin, as its first line is as long as a line may be.
private let loopText = """
    GET products cannot be paged further: the next page was read before; allow it with Paginated(…, repeats: .requests)
      https://shop.example/products?limit=50&after=def, page 4
    """
