import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Pagination with missing lists")
struct MissingListWalkTests {
    private typealias Item = PaginationTests.Item

    /// The pages and how pagination ends.
    ///
    /// Pages without identifiers lack the list.
    struct Walk: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        var maximumPages: Int?
        let pages: [(ids: [Int], beside: String)]

        /// The number of requested pages.
        let requestCount: Int
        var failure: APIError.PaginationFailure.Reason?

        init(
            _ description: String,
            _ scheme: Paginated.Scheme,
            maximumPages: Int? = nil,
            _ pages: [(ids: [Int], beside: String)],
            requestCount: Int? = nil,
            _ failure: APIError.PaginationFailure.Reason? = nil
        ) {
            (testDescription, self.scheme, self.maximumPages) = (description, scheme, maximumPages)
            (self.pages, self.failure) = (pages, failure)
            self.requestCount = requestCount ?? pages.count
        }
    }

    /// A representation of a page without items.
    enum Form: String, CaseIterable, Sendable {
        case missing, null, empty

        func page(_ ids: [Int], _ beside: String) -> StubResponse {
            if !ids.isEmpty || self == .empty { return PaginationTests.page(ids, beside) }
            let list = self == .null ? #""items":null"# : ""
            return .json("{\([list, beside].filter { !$0.isEmpty }.joined(separator: ","))}")
        }
    }

    private static let token = Paginated.Scheme.cursor(at: "next", as: "after")
    private static let flagged = Paginated.Scheme.cursor(at: "next", as: "after", hasMore: .value("more"))
    private static let counted = Paginated.Scheme.cursor(at: "next", as: "after", total: .value("total"))

    static let ending = [
        Walk("a token on the first page", token, [([], #""next":"a""#), ([1], "")]),
        Walk("tokens on several pages", token, [([], #""next":"a""#), ([], #""next":"b""#), ([1], #""next":null"#)]),
        Walk("a token and a flag", flagged, [([], #""next":"a","more":true"#), ([1], #""more":false"#)]),
        Walk("a token and a total", counted, [([], #""next":"a","total":1"#), ([1], #""total":1"#)]),
        Walk("a link", .next(at: "next"), [([], #""next":"/v1/items?p=2""#), ([1], "")]),
        Walk("a count of pages", .pageNumber(pageCount: .value("pages")), [([], #""pages":2"#), ([1], #""pages":2"#)]),
        Walk("a token between pages with items", token, [([1], #""next":"a""#), ([], #""next":"b""#), ([2], "")]),
        Walk("no token", token, [([], "")]),
        Walk("a last page without a token", token, [([1], #""next":"a""#), ([], "")]),
    ]

    static let failing = [
        Walk("a token that repeats", token, [([], #""next":"a""#), ([], #""next":"a""#)], .loop),
        Walk(
            "two tokens that alternate",
            token,
            [([], #""next":"a""#), ([], #""next":"b""#), ([], #""next":"a""#)],
            .loop
        ),
        Walk(
            "a link to itself",
            .next(at: "next"),
            [([], #""next":"/v1/items?p=2""#), ([], #""next":"/v1/items?p=2""#)],
            .loop
        ),
        Walk(
            "new tokens without end",
            token,
            maximumPages: 3,
            [([], #""next":"a""#), ([], #""next":"b""#), ([], #""next":"c""#), ([], #""next":"d""#)],
            requestCount: 3,
            .tooManyPages(limit: 3)
        ),
        Walk(
            "fewer items than the total",
            counted,
            [([], #""next":"a","total":1"#), ([], #""total":1"#)],
            .missingItems(count: 0, total: 1)
        ),
    ]

    @Test(
        "Pagination continues past pages without a list as past empty pages, and detects endless pages",
        arguments: ending + failing,
        Form.allCases
    )
    func walk(_ walk: Walk, form: Form) async {
        for readAhead in [0, 2] {
            for declaresEnvelope in [true, false] {
                let stub = StubTransport(["GET items": .sequence(walk.pages.map { form.page($0.ids, $0.beside) })])
                let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
                    GET("items")
                    Envelope("items", missingList: declaresEnvelope ? .isEmpty : .isError)
                    Paginated(
                        walk.scheme,
                        maximumPages: walk.maximumPages,
                        missingList: declaresEnvelope ? .isError : .isEmpty
                    )
                }
                var ids: [Int] = []
                let error = await failure {
                    for try await item in endpoint.all(readAhead: readAhead) { ids.append(item.id) }
                }
                #expect(ids == walk.pages.flatMap(\.ids))
                #expect(stub.requests.count == walk.requestCount)
                guard walk.failure != nil else {
                    #expect(error == nil)
                    continue
                }
                guard case .pagination(let failure) = error else {
                    Issue.record("expected a pagination failure, got \(String(describing: error))")
                    continue
                }
                #expect(failure.reason == walk.failure)
            }
        }
    }

    @Test("A page with a single item instead of a list is followed by the page after that item")
    func onlyItem() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"items":{"id":7},"more":true}"#), .json(#"{"items":[{"id":8},{"id":9}],"more":true}"#),
                .json(#"{"items":{"id":10},"more":false}"#),
            ])
        ])
        let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
            GET("items")
            Envelope("items", missingList: .isOneItem)
            Paginated(.after(lastItem: "id", as: "after", hasMore: .value("more")))
        }
        #expect(try await endpoint.all.collect().map(\.id) == [7, 8, 9, 10])
        #expect(stub.requests.map(\.query) == [nil, "after=7", "after=9"])
    }
}
