import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// Declared paths that the first page lacks: misspelled ones, and ones that servers omit.
@Suite("Missing pagination values", .inTurn, .safetyNet)
struct PaginationPlaceTests {
    private typealias Item = PaginationTests.Item

    /// A page that a server sends in response to a single request.
    struct Row: Sendable, CustomTestStringConvertible {
        let paginated: Paginated
        var envelope = Envelope("items")
        let body: String
        var fields: HTTPFields = []
        /// The expected error, or `nil` if the page is valid.
        var text: String?

        init(_ pagination: Paginated.Scheme, _ beside: String, _ text: String? = nil) {
            self.init(Paginated(pagination), body: #"{"items":[{"id":1}],\#(beside)}"#, text)
        }

        init(_ pagination: Paginated.Scheme, field name: String, _ value: String, _ text: String? = nil) {
            self.init(Paginated(pagination), body: #"{"items":[{"id":1}]}"#, text)
            fields = PaginationTests.field(name, value)
        }

        init(_ paginated: Paginated, _ envelope: Envelope = Envelope("items"), body: String, _ text: String? = nil) {
            (self.paginated, self.envelope, self.body, self.text) = (paginated, envelope, body, text)
        }

        var testDescription: String { "\(paginated.summary) of \(body) \(fields.map(\.value))" }

        var response: StubResponse { .json(body, headers: fields) }
    }

    private static func meant(_ declared: String, _ name: String) -> String {
        "Paginated declares \(declared), but the page has no such value; did you mean \(name)?"
    }

    private static func field(_ declared: String, _ name: String) -> String {
        "Paginated declares \(declared), but the response has no such field; did you mean \"\(name)\"?"
    }

    private static func relation(_ declared: String, _ name: String) -> String {
        "Paginated declares \(declared), but no link of the response has this relation; did you mean \"\(name)\"?"
    }

    static let misspelledLinks = [
        Row(
            .next(at: "_links", "nextt", total: .value("_meta", "totl")),
            #""_links":{"self":"/x","next":"/x?p=2"},"_meta":{"total":25}"#,
            meant(#".next(at: "_links", "nextt")"#, #""next""#)
        ),
        Row(.next(at: "next"), #""next_page":"/x?p=2""#, meant(#".next(at: "next")"#, #""next_page""#)),
        Row(.next(at: "next_page_url"), #""nextPage":"/x?p=2""#, meant(#".next(at: "next_page_url")"#, #""nextPage""#)),
        Row(.next(at: "nxt"), #""next":{"href":"/x?p=2"}"#, meant(#".next(at: "nxt")"#, #""next""#)),
        Row(.next(at: "link", "next"), #""links":{"next":"/x"}"#, meant(#".next(at: "link", "next")"#, #""links""#)),
        Row(
            .next(at: "link", "nextt"),
            #""links":{"next":"/x"}"#,
            meant(#".next(at: "link", "nextt")"#, #""links", "next""#)
        ),
        Row(
            .next(at: "links", "next"),
            #""links":[{"rel":"next","href":"/x?p=2"}]"#,
            #"Paginated declares .next(at: "links", "next"), but links is an array without members; correct the path"#
        ),
        Row(
            .next(at: "next", "href"),
            #""next":"/x?p=2""#,
            #"Paginated declares .next(at: "next", "href"), but next is text without members; correct the path"#
        ),
        Row(
            .next(at: "links", rel: "nxt"),
            #""links":[{"rel":"self","href":"/x"},{"rel":"next","href":"/x?p=2"}]"#,
            relation(#".next(at: "links")"#, "next")
        ),
        Row(
            .next(field: "Next-Pages"),
            field: "Next-Page",
            "/x?p=2",
            field(#".next(field: "Next-Pages")"#, "Next-Page")
        ),
        Row(.link(rel: "nextt"), field: "Link", "</x?p=2>; rel=next", relation(#".link(rel: "nextt")"#, "next")),
        Row(
            .link(),
            field: "Link",
            #"</x>; rel=self, </x?p=2>; rel="nextPage""#,
            relation(#".link(rel: "next")"#, "nextpage")
        ),
    ]

    static let misspelledTokens = [
        Row(
            .cursor(at: "next_page_tokn", as: "p"),
            #""next_page_token":"x""#,
            meant(#".cursor(at: "next_page_tokn")"#, #""next_page_token""#)
        ),
        Row(.cursor(at: "next", as: "p"), #""nextToken":2"#, meant(#".cursor(at: "next")"#, #""nextToken""#)),
        Row(
            .cursor(at: "metadata", "next", as: "p"),
            #""meta":{"next":"x"}"#,
            meant(#".cursor(at: "metadata", "next")"#, #""meta""#)
        ),
        Row(
            .cursor(field: "X-Continuaton", as: "p"),
            field: "X-Continuation",
            "x",
            field(#".cursor(field: "X-Continuaton")"#, "X-Continuation")
        ),
        Row(
            .cursor(at: "nxt", as: "p", hasMore: .value("more")),
            #""next":"x","more":true"#,
            meant(#".cursor(at: "nxt")"#, #""next""#)
        ),
        Row(
            .cursor(at: "next", as: "p", hasMore: .value("hasmor")),
            #""next":"x","has_more":false"#,
            meant(#"hasMore: .value("hasmor")"#, #""has_more""#)
        ),
        Row(
            .cursor(at: "cursor", as: "p", hasMore: .value("more")),
            #""more":true"#,
            #"hasMore: .value("more") indicates another page, but there is no token for it at cursor; "#
                + "correct the token's path, or omit hasMore"
        ),
        Row(
            .after(lastItem: "id", as: "p", hasMore: .value("has_mor")),
            #""has_more":true"#,
            meant(#"hasMore: .value("has_mor")"#, #""has_more""#)
        ),
        Row(
            Paginated(.after(lastItem: "id", as: "p", hasMore: .value("more"))),
            body: #"{"items":[],"more":true}"#,
            #"hasMore: .value("more") indicates another page, but this one has no items, and the next one "#
                + "starts after the last item; correct the Envelope if there are items, or leave hasMore out"
        ),
    ]

    static let misspelledCounts = [
        Row(.offset(total: .value("total")), #""total_count":2"#, meant(#"total: .value("total")"#, #""total_count""#)),
        Row(
            .offset(total: .value("meta", "totl")),
            #""meta":{"total":2}"#,
            meant(#"total: .value("meta", "totl")"#, #""total""#)
        ),
        Row(.pageNumber(pageCount: .value("page")), #""pages":2"#, meant(#"pageCount: .value("page")"#, #""pages""#)),
        Row(
            .offset(total: .field("X-Total")),
            field: "X-Total-Count",
            "2",
            field(#"total: .field("X-Total")"#, "X-Total-Count")
        ),
        Row(
            .after(lastItem: "id", as: "p", total: .value("totl")),
            #""total":1"#,
            meant(#"total: .value("totl")"#, #""total""#)
        ),
        Row(.link(total: .field("X-Totl")), field: "X-Total", "2", field(#"total: .field("X-Totl")"#, "X-Total")),
        Row(
            Paginated(.offset(total: .value("total"))),
            body: #"{"items":[],"total":2}"#,
            "the walk ended after 0 items, but the server's total is 2; if that is an estimate, "
                + "declare Paginated(…, totals: .estimated)"
        ),
    ]

    private static let missing = #"Envelope declares "wrong", but the page has no such list"#

    static let missingLists = [
        Row(
            Paginated(.cursor(at: "next", as: "p", hasMore: .value("more")), missingList: .isEmpty),
            Envelope("wrong"),
            body: #"{"objects":[1],"next":"x","more":true}"#,
            missing + #", and hasMore: .value("more") says that more items follow; correct the path"#
        ),
        Row(
            Paginated(.offset(total: .value("total")), missingList: .isEmpty),
            Envelope("wrong"),
            body: #"{"data":{"objects":[{"id":1}]},"total":25}"#,
            missing + #", and total: .value("total") says that more items follow; correct the path"#
        ),
        Row(
            Paginated(.next(at: "next"), missingList: .isEmpty),
            Envelope("wrong"),
            body: #"{"objects":[{"id":1}],"next":"/x?p=2"}"#,
            missing + #", and another page follows; did you mean "objects"?"#
        ),
        Row(
            Paginated(.pageNumber(pageCount: .value("pages")), missingList: .isEmpty),
            Envelope("wrong"),
            body: #"{"objects":[{"id":1}],"pages":2}"#,
            missing + #", and another page follows; did you mean "objects"?"#
        ),
        Row(
            Paginated(.after(lastItem: "id", as: "p", hasMore: .value("more")), missingList: .isEmpty),
            Envelope("wrong"),
            body: #"{"objects":[{"id":1}],"more":true}"#,
            missing + #", and hasMore: .value("more") says that more items follow; correct the path"#
        ),
    ]

    @Test(
        "A path that the first page lacks is an error if the page has a similar name",
        arguments: misspelledLinks + misspelledTokens + misspelledCounts,
        [Decode(), Decode(with: JSONDecoder())]
    )
    func misspelled(_ row: Row, _ decode: Decode) async { await check(row, decode) }

    @Test(
        "A missing list that counts as empty is an error if the page indicates more items",
        arguments: missingLists,
        [Decode(), Decode(with: JSONDecoder())]
    )
    func missingList(_ row: Row, _ decode: Decode) async { await check(row, decode) }

    /// Single-page responses from real servers, with a next value that is absent or empty.
    static let quiet = [
        Row(.next(at: "next"), #""count":1"#),
        Row(.next(at: "next"), #""next":null,"next_page":"/x""#),
        Row(.next(at: "next"), #""next":"","next_page":"/x""#),
        Row(.next(at: "next"), #""next_page":null"#),
        Row(.next(at: "next"), #""next_page":"""#),
        Row(.next(at: "next"), #""next_page":2,"nextUpdate":"2026-11-23""#),
        Row(.next(at: "links", "next"), #""links":{"self":"/x","first":"/x","last":"/x","prev":null}"#),
        Row(.next(at: "links", "next"), #""links":null"#),
        Row(.next(at: "links", "next"), #""links":[]"#),
        Row(.next(at: "links", "next"), #""links":false"#),
        Row(.next(at: "links"), #""links":[{"rel":"self","href":"/x"},{"rel":"prev","href":"/x"}]"#),
        // Change feeds: the last page has a link to later changes.
        Row(.next(at: "@odata.nextLink"), ##""@odata.context":"/$metadata#x","@odata.deltaLink":"/x?delta=1""##),
        Row(.next(at: "nextPageUrl"), #""nextSyncUrl":"/x?sync=1""#),
        Row(.next(field: "Next-Page"), field: "X-Page", "1"),
        Row(.next(field: "Next-Page"), field: "Next-Pages", ""),
        Row(.link(), field: "Link", #"</x>; rel="self", </x?p=1>; rel="last prev""#),
        Row(.cursor(at: "nextPageToken", as: "p"), #""nextSyncToken":"x","kind":"list""#),
        Row(.cursor(at: "nextPageToken", as: "p"), #""newStartPageToken":"x""#),
        Row(.cursor(at: "nextForwardToken", as: "p"), #""nextBackwardToken":"x""#),
        Row(.cursor(at: "next_batch", as: "p", previous: .value("prev_batch")), #""prev_batch":"x""#),
        Row(.cursor(at: "end", as: "p"), #""start":"x","end_time":5"#),
        Row(.cursor(at: "paging", "next", "after", as: "p"), #""pages":1"#),
        Row(.cursor(at: "next", as: "p"), #""next_page":null,"nexts":[]"#),
        Row(.cursor(at: "next", as: "p", previous: .value("next_before")), #""next_before":"x""#),
        Row(.cursor(at: "next", as: "p", hasMore: .value("more")), #""count":1"#),
        Row(.cursor(at: "next", as: "p", hasMore: .value("more")), #""next":"x","more":false"#),
        Row(.cursor(field: "X-Next", as: "p"), field: "X-Page", "1"),
        Row(.after(lastItem: "id", as: "p", hasMore: .value("more")), #""more":false,"moreover":true"#),
        Row(.offset(total: .value("total")), #""total":null,"total_count":5"#),
        Row(.offset(total: .value("total")), #""total":1,"total_pages":1"#),
        Row(.pageNumber(total: .field("X-Total"), pageCount: .field("X-Total-Pages")), field: "X-Total-Pages", "1"),
        Row(Paginated(.offset(total: .value("total"))), body: #"{"items":[],"total_ms":12}"#),
        Row(Paginated(.offset(total: .value("total")), totals: .estimated), body: #"{"items":[],"total":5}"#),
        Row(Paginated(.pageNumber(), missingList: .isEmpty), body: #"{"kind":"list","errors":["x"]}"#),
        Row(Paginated(.pageNumber(), missingList: .isEmpty), body: #"{"items":null,"itemz":[1]}"#),
        // An ongoing search has pages without a list.
        Row(Paginated(.cursor(at: "next", as: "p"), missingList: .isEmpty), body: #"{"next":"x","algorithms":["a"]}"#),
        Row(
            Paginated(.cursor(at: "next", as: "p", hasMore: .value("more")), missingList: .isEmpty),
            body: #"{"next":"x","more":true,"errors":[]}"#
        ),
        Row(
            Paginated(.cursor(at: "next", as: "p", hasMore: .value("more"))),
            body: #"{"items":[],"next":"x","more":true}"#
        ),
    ]

    @Test(
        "A path that a server omits from the only page is not an error",
        arguments: quiet,
        [Decode(), Decode(with: JSONDecoder())]
    )
    func leftOut(_ row: Row, _ decode: Decode) async { await check(row, decode) }

    @Test("A key declared by Metadata is not suggested for a misspelled path")
    func declaredOtherwise() async throws {
        let stub = StubTransport(["GET items": .json(#"{"items":[{"id":1}],"next_poll":"30"}"#)])
        let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            Metadata(String?.self, at: "next_poll")
            Paginated(.cursor(at: "next", as: "p"))
        }
        #expect(try await endpoint.all.collect() == [Item(id: 1)])
    }

    @Test("A misspelled key is matched by its converted name")
    func convertedKeys() async {
        let row = Row(
            .cursor(at: "nextPageTokn", as: "p"),
            #""next_page_token":"x""#,
            Self.meant(#".cursor(at: "nextPageTokn")"#, #""nextPageToken""#)
        )
        await check(row, Decode(keys: .convertFromSnakeCase))
    }

    /// The pages of a list, and the error after them.
    struct Walk: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let paginated: Paginated
        /// The identifiers of each page's items, and the members beside the items.
        let pages: [(ids: [Int], beside: String)]
        var text: String?

        init(
            _ description: String,
            _ paginated: Paginated,
            _ pages: [(ids: [Int], beside: String)],
            _ text: String? = nil
        ) {
            (testDescription, self.paginated, self.pages, self.text) = (description, paginated, pages, text)
        }

        var responses: [StubResponse] { pages.map { PaginationTests.page($0.ids, $0.beside) } }
    }

    private static let cursor = Paginated.Scheme.cursor(at: "next", as: "after", total: .value("total"))
    private static let flagged = Paginated.Scheme.cursor(at: "next", as: "after", hasMore: .value("more"))

    private static func absent(_ declared: String) -> String {
        "Paginated declares \(declared), but no page has had such a value; correct its place, or leave it out"
    }

    private static func excess(_ count: Int, _ total: Int) -> String {
        "the walk ended after \(count) items, but the server's total is \(total), so pages overlap; check the "
            + "first number or offset (startingAt:), or declare keepsQuery: true if the server's links lack the "
            + "query; if the total is an estimate, declare Paginated(…, totals: .estimated)"
    }

    static let walks = [
        Walk(
            "the place is left out of the last page",
            Paginated(.next(at: "next")),
            [
                ([1], #""next":"?p=2""#), ([2], #""next_update":"/x""#),
            ]
        ),
        Walk(
            "the total is on the first page only",
            Paginated(cursor),
            [
                ([1], #""next":"x","total":2"#), ([2], ""),
            ]
        ),
        Walk(
            "the total is on the first page only, and the list grows",
            Paginated(cursor),
            [
                ([1], #""next":"x","total":2"#), ([2, 3], ""),
            ]
        ),
        Walk("the total is null", Paginated(cursor), [([1], #""next":"x","total":null"#), ([2], #""total":null"#)]),
        Walk("the total of an empty list is left out", Paginated(cursor), [([], "")]),
        Walk(
            "no page has the total that ends the walk",
            Paginated(.offset(total: .value("total"))),
            [([1], ""), ([2], ""), ([], "")],
            absent(#"total: .value("total")"#)
                + "; if the server does not always send it, declare Paginated(…, totals: .estimated)"
        ),
        Walk(
            "no page has the total, which is declared as inexact",
            Paginated(.offset(total: .value("total")), totals: .estimated),
            [([1], ""), ([], "")]
        ),
        Walk(
            "no page has the total beside its tokens",
            Paginated(cursor),
            [([1], #""next":"x""#), ([2], "")]
        ),
        Walk(
            "no page has the number of pages",
            Paginated(.pageNumber(pageCount: .value("pages"))),
            [([1], ""), ([], "")],
            absent(#"pageCount: .value("pages")"#)
                + "; if the server does not always send it, declare Paginated(…, totals: .estimated)"
        ),
        Walk(
            "a flag that is false is left out",
            Paginated(flagged),
            [
                ([1], #""next":"x","more":true"#), ([2], ""),
            ]
        ),
        Walk("a flag that is false is left out of an only page", Paginated(flagged), [([1], "")]),
        Walk(
            "no page has the flag though another one follows",
            Paginated(flagged),
            [([1], #""next":"x""#), ([2], "")],
            absent(#"hasMore: .value("more")"#)
        ),
        Walk(
            "items repeat, and there are as many as the total",
            Paginated(cursor),
            [
                ([1, 2], #""next":"x","total":4"#), ([2, 3], #""total":4"#),
            ]
        ),
        Walk(
            "more items than the total",
            Paginated(cursor),
            [
                ([1, 2], #""next":"x","total":3"#), ([2, 3], #""total":3"#),
            ],
            excess(4, 3)
        ),
        Walk(
            "more items than the total on an only page",
            Paginated(cursor),
            [([1, 2, 2, 3], #""total":3"#)],
            excess(4, 3)
        ),
        Walk(
            "offsets from 0 where the server counts from 1",
            Paginated(.offset(total: .value("total"))),
            [
                ([1, 2], #""total":5"#), ([2, 3], #""total":5"#), ([4, 5], #""total":5"#),
            ],
            excess(6, 5)
        ),
        Walk(
            "the list grows during the walk",
            Paginated(cursor),
            [
                ([1, 2], #""next":"x","total":3"#), ([2, 3], #""total":4"#),
            ]
        ),
        Walk(
            "the list shrinks during the walk",
            Paginated(cursor),
            [
                ([1, 2], #""next":"x","total":3"#), ([3], #""total":1"#),
            ]
        ),
        Walk(
            "more items than an inexact total",
            Paginated(cursor, totals: .estimated),
            [
                ([1, 2], #""next":"x","total":3"#), ([2, 3], #""total":3"#),
            ]
        ),
    ]

    @Test(
        "Pagination fails if the item count exceeds the total or if no page has a required flag or count",
        arguments: walks
    )
    func walk(_ walk: Walk) async {
        for isStreamed in [false, true] {
            let stub = StubTransport(["GET items": .sequence(walk.responses)])
            let endpoint = Self.items(stub, walk.paginated)
            var ids: [Int] = []
            var text: String?
            var iterator = endpoint.all(streaming: isStreamed).makeAsyncIterator()
            do throws(APIError) {
                while let item = try await iterator.next() { ids.append(item.id) }
            } catch {
                text = Self.text(of: error)
            }
            #expect(ids == walk.pages.flatMap(\.ids))
            #expect(text == walk.text)
        }
    }

    @Test("Pagination from a stored cursor tolerates more items than the total and a missing total")
    func resumed() async throws {
        let first = StubTransport(["GET items": .response(PaginationTests.page([1, 2], #""next":"x","total":3"#))])
        let cursor = try #require(try await Self.items(first, Paginated(Self.cursor)).page().next)
        #expect(cursor.itemsBefore == 2)
        for beside in [#""total":3"#, ""] {
            let second = StubTransport(["GET items": .response(PaginationTests.page([3, 4], beside))])
            let items = try await Self.items(second, Paginated(Self.cursor)).all(from: cursor).collect()
            #expect(items.map(\.id) == [3, 4])
        }
    }

    @Test("Dropped items count toward the total")
    func dropped() async throws {
        let stub = StubTransport(["GET items": .json(#"{"items":[{"id":1},{"id":"x"},{"id":3}],"total":2}"#)])
        let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            DropInvalidItems()
            Paginated(Self.cursor)
        }
        let error = await failure { try await endpoint.all.collect() }
        #expect(error.flatMap(Self.text) == Self.excess(3, 2))
    }

    private static func items(_ transport: some Transport, _ paginated: Paginated) -> Endpoint<[Item]> {
        Shop(transport).endpoint {
            GET("items")
            Envelope("items")
            paginated
        }
    }

    private static func text(of error: APIError) -> String? {
        guard case .pagination(let failure) = error else { return "\(error)" }
        return "\(failure.reason)"
    }

    /// Expects the row's outcome for a single page, and for paginating and streaming that page.
    private func check(_ row: Row, _ decode: Decode) async {
        let stub = StubTransport(["GET items": .response(row.response)])
        let endpoint: Endpoint<[JSONValue]> = Shop(stub).endpoint {
            GET("items")
            row.envelope
            row.paginated
            decode
        }
        let error = await failure { try await endpoint.page() }
        #expect(error.flatMap(Self.text) == row.text)
        guard let text = row.text else { return }
        let walked = await failure { try await endpoint.all.collect() }
        #expect(walked.flatMap(Self.text) == text)
        let streamed = await failure {
            try await endpoint.all(streaming: true).collect()
        }
        // Schemes that read an item and missing lists that count as empty cannot be streamed.
        if case .request = streamed { return }
        #expect(streamed.flatMap(Self.text) == text)
    }
}
