import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// Pages requested by number or offset, and the cursors that an app creates for them.
@Suite("Pages by position", .inTurn, .safetyNet)
struct PagePositionTests {
    private typealias Item = PaginationTests.Item

    /// A server that slices a list according to the query.
    static func server(_ count: Int = 10) -> StubTransport {
        StubTransport { request in
            func number(_ names: String...) -> Int? {
                names.lazy.compactMap { request.query($0).flatMap { Int($0) } }.first
            }
            let size = number("per_page", "limit") ?? 4
            let offset = number("offset") ?? (number("page").map { ($0 - 1) * size }) ?? (number("p") ?? 0) * size
            let ids = (1...count).dropFirst(offset).prefix(size)
            return PaginationTests.page(Array(ids), "\"count\":\(count)")
        }
    }

    private static func items(
        _ stub: StubTransport,
        _ scheme: Paginated.Scheme,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            Paginated(scheme)
        }.with(clauses)
    }

    static let numbered = Paginated.Scheme.pageNumber(size: .query("per_page", 4), total: .value("count"))
    static let offsets = Paginated.Scheme.offset(size: .query("limit", 4), total: .value("count"))

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        let cursor: Cursor
        var number: Int
        var ids: [[Int]]
        var queries: [String]
    }

    static let rows = [
        Row(
            testDescription: "page 2",
            scheme: numbered,
            cursor: .page(2),
            number: 2,
            ids: [[5, 6, 7, 8], [9, 10]],
            queries: ["page=2&per_page=4", "page=3&per_page=4"]
        ),
        Row(
            testDescription: "page 2 of another size",
            scheme: numbered,
            cursor: .page(2, size: 3),
            number: 2,
            ids: [[4, 5, 6], [7, 8, 9], [10]],
            queries: ["page=2&per_page=3", "page=3&per_page=3", "page=4&per_page=3"]
        ),
        Row(
            testDescription: "page 1",
            scheme: numbered,
            cursor: .page(1),
            number: 1,
            ids: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]],
            queries: ["page=1&per_page=4", "page=2&per_page=4", "page=3&per_page=4"]
        ),
        Row(
            testDescription: "page 2 of pages that are numbered from 0",
            scheme: .pageNumber("p", startingAt: 0, size: .query("limit", 4), total: .value("count")),
            cursor: .page(2),
            number: 3,
            ids: [[9, 10]],
            queries: ["p=2&limit=4"]
        ),
        Row(
            testDescription: "page 3 without a declared size and total",
            scheme: .pageNumber(),
            cursor: .page(3),
            number: 3,
            ids: [[9, 10], []],
            queries: ["page=3", "page=4"]
        ),
        Row(
            testDescription: "offset 5",
            scheme: offsets,
            cursor: .offset(5),
            number: 2,
            ids: [[6, 7, 8, 9], [10]],
            queries: ["offset=5&limit=4", "offset=9&limit=4"]
        ),
        Row(
            testDescription: "offset 4 with another size",
            scheme: offsets,
            cursor: .offset(4, size: 2),
            number: 3,
            ids: [[5, 6], [7, 8], [9, 10]],
            queries: ["offset=4&limit=2", "offset=6&limit=2", "offset=8&limit=2"]
        ),
    ]

    @Test("Pagination from a position continues to the end with the requested page size", arguments: rows)
    func walk(row: Row) async throws {
        let stub = Self.server()
        let endpoint = Self.items(stub, row.scheme)
        // A position cursor can be stored like any other.
        let cursor = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(row.cursor))
        #expect(cursor == row.cursor)
        var pages: [Page<Item>] = []
        for try await page in endpoint.pages(from: cursor) { pages.append(page) }
        #expect(pages.map { $0.items.map(\.id) } == row.ids)
        #expect(pages.map(\.number) == pages.indices.map { row.number + $0 })
        #expect(stub.requests.map(\.query) == row.queries)
        let streamed = try await endpoint.all(streaming: true, from: cursor).collect()
        #expect(streamed.map(\.id) == row.ids.flatMap { $0 })
        #expect(stub.requests.map(\.query) == row.queries + row.queries)
    }

    @Test("A page number or an offset requests a single page, for a resource too")
    func single() async throws {
        let stub = Self.server()
        let third = try await Self.items(stub, Self.numbered).page(at: .page(3))
        #expect(third.items.map(\.id) == [9, 10])
        #expect(third.number == 3)
        #expect(!third.hasMore)
        let second = try await Self.items(stub, Self.numbered).page(at: #require(third.previous))
        #expect(second.items.map(\.id) == [5, 6, 7, 8])
        let resource: Resource<Item, ReadOnly> = Shop(stub).resource("items") {
            Envelope("items")
            Paginated(Self.offsets)
        }
        let page = try await resource.page(at: .offset(2, size: 3))
        #expect(page.items.map(\.id) == [3, 4, 5])
        #expect(try await resource.page(at: #require(page.next)).items.map(\.id) == [6, 7, 8])
        #expect(
            stub.requests.map(\.query) == [
                "page=3&per_page=4", "page=2&per_page=4", "offset=2&limit=3", "offset=5&limit=3",
            ]
        )
        #expect(try Self.items(stub, Self.numbered).pagePlan(at: .page(7)).url.query() == "page=7&per_page=4")
    }

    @Test("Cursor.start requests the first page for any scheme, even after coding")
    func start() async throws {
        let start = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(Cursor.start))
        #expect(start == .start)
        #expect(start.description == "the first page")
        for scheme in [Self.numbered, Self.offsets, .cursor(at: "next", as: "after"), .pageNumber(startingAt: 2)] {
            let stub = StubTransport { _ in PaginationTests.page([], "\"count\":0") }
            let endpoint = Self.items(stub, scheme)
            _ = try await endpoint.page()
            _ = try await endpoint.page(at: start)
            var pages = endpoint.pages(from: start, readAhead: 0).makeAsyncIterator()
            _ = try await pages.next()
            var streamed = endpoint.all(streaming: true, from: start).makeAsyncIterator()
            _ = try await streamed.next()
            #expect(try endpoint.pagePlan(at: start).url == endpoint.pagePlan().url)
            #expect(Set(stub.requests.map(\.query)).count == 1)
        }
    }

    @Test("A page past the end has no items and no next page")
    func pastEnd() async throws {
        for cursor in [Cursor.page(9), .page(.max)] {
            let stub = StubTransport(["GET items": .response(PaginationTests.page([], #""count":10"#))])
            let page = try await Self.items(stub, Self.numbered).page(at: cursor)
            #expect(page.items.isEmpty)
            #expect(!page.hasMore)
        }
    }

    @Test("A page size in the call overrides one in a Query, which overrides the declared one")
    func sizes() async throws {
        let stub = Self.server()
        let endpoint = Self.items(stub, Self.numbered) { Query("per_page", 5) }
        _ = try await endpoint.page(at: .page(2))
        _ = try await endpoint.page(at: .page(2, size: 2))
        #expect(stub.requests.map { $0.query("per_page") } == ["5", "2"])
        #expect(stub.requests.map { $0.query("page") } == ["2", "2"])
    }

    @Test("A scheme that starts at a later number or offset skips earlier items and continues from there")
    func laterStart() async throws {
        let stub = Self.server()
        let numbered = Self.items(
            stub,
            .pageNumber(startingAt: 2, size: .query("per_page", 4), total: .value("count"))
        )
        var pages: [Page<Item>] = []
        for try await page in numbered.pages { pages.append(page) }
        #expect(pages.map(\.number) == [2, 3])
        #expect(pages.flatMap(\.items).map(\.id) == [5, 6, 7, 8, 9, 10])
        #expect(try await numbered.page().number == 2)
        let first = try await numbered.page(at: #require(pages.first?.previous))
        #expect(first.items.map(\.id) == [1, 2, 3, 4])
        #expect(try await numbered.all(streaming: true).collect().map(\.id) == [5, 6, 7, 8, 9, 10])
        let offsets = Self.items(stub, .offset(startingAt: 8, size: .query("limit", 4), total: .value("count")))
        #expect(try await offsets.all.collect().map(\.id) == [9, 10])
        #expect(try await offsets.page().number == 3)
    }

    struct Rejected: CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        let cursor: Cursor
        let reason: String
    }

    static let rejected = [
        Rejected(
            testDescription: "a page number for tokens",
            scheme: .cursor(at: "next", as: "after"),
            cursor: .page(3, size: 20),
            reason: "Cursor.page(3, size: 20): the list is paged by cursor(at: \"next\", as: \"after\"), which has no"
                + " page numbers; continue from a page: page(at: page.next)"
        ),
        Rejected(
            testDescription: "a page number for offsets",
            scheme: .offset(),
            cursor: .page(3),
            reason: "Cursor.page(3): the list is paged by offset(\"offset\"), which has no page numbers; call"
                + " page(at: .offset(…))"
        ),
        Rejected(
            testDescription: "an offset for page numbers",
            scheme: .pageNumber(),
            cursor: .offset(40),
            reason: "Cursor.offset(40): the list is paged by pageNumber(\"page\"), which has no offsets; call"
                + " page(at: .page(…))"
        ),
        Rejected(
            testDescription: "a number before the first page",
            scheme: .pageNumber(),
            cursor: .page(0),
            reason: "Cursor.page(0): the list numbers its pages from 1; if it begins below, declare the first number"
                + " with startingAt:"
        ),
        Rejected(
            testDescription: "a negative offset",
            scheme: .offset(),
            cursor: .offset(-1),
            reason: "Cursor.offset(-1): the offsets of the list begin at 0; if they begin below, declare the first one"
                + " with startingAt:"
        ),
        Rejected(
            testDescription: "a size without a place",
            scheme: .pageNumber(),
            cursor: .page(2, size: 20),
            reason: "Cursor.page(2, size: 20): pageNumber(\"page\") declares no place for a size; declare one, such as"
                + " size: .query(\"limit\", 50)"
        ),
        Rejected(
            testDescription: "a size of 0",
            scheme: numbered,
            cursor: .page(2, size: 0),
            reason: "Cursor.page(2, size: 0): a page has at least one item; give a size of 1 or more, or none"
        ),
    ]

    @Test("A position that the list cannot have is a declaration error, and nothing is sent", arguments: rejected)
    func rejection(row: Rejected) async {
        let stub = Self.server()
        let endpoint = Self.items(stub, row.scheme)
        let errors = [
            await failure { try await endpoint.page(at: row.cursor) },
            await failure { try await endpoint.all(from: row.cursor).collect() },
            await failure { try await endpoint.all(streaming: true, from: row.cursor).collect() },
        ]
        for error in errors {
            guard case .request(let failure) = error else {
                Issue.record("expected a request failure, got \(String(describing: error))")
                continue
            }
            #expect(failure.declarationErrors.map(\.description) == [row.reason])
        }
        #expect(stub.requests.isEmpty)
    }
}
