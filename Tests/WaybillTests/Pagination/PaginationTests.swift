import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// Every scheme, paginated from first page to last with scripted responses.
@Suite("Pagination schemes")
struct PaginationTests {
    struct Item: Codable, Identifiable, Sendable, Equatable { let id: Int }

    /// A pagination: the scheme, the responses in order, the request targets and the outcome.
    struct Walk: CustomTestStringConvertible {
        let testDescription: String
        var paginated: Paginated
        var envelope = Envelope("items")
        var method = "GET"
        var responses: [StubResponse]
        var requests: [String]
        var items: [Int]
        var totals: [Int?] = []
    }

    @Test(arguments: numbered + tokens + links + bodies, [Decode(), Decode(with: JSONDecoder())])
    func walk(_ walk: Walk, decode: Decode) async throws {
        let stub = StubTransport(["\(walk.method) items": .sequence(walk.responses)])
        let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
            Route(walk.method, "items")
            Query("kind", "new")
            walk.envelope
            walk.paginated
            decode
        }
        var items: [Int] = []
        var totals: [Int?] = []
        for try await page in endpoint.pages {
            items += page.items.map(\.id)
            totals.append(page.total)
            // A cursor survives an encoding round trip.
            if let next = page.next {
                #expect(try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(next)) == next)
            }
        }
        #expect(items == walk.items)
        #expect(stub.requests.map { Self.text(of: $0) } == walk.requests)
        if !walk.totals.isEmpty { #expect(totals == walk.totals) }
    }

    @Test(
        "Streaming yields the same items and requests for every scheme that supports it",
        arguments: numbered + tokens + links + bodies
    )
    func streamed(walk: Walk) async throws {
        let stub = StubTransport(["\(walk.method) items": .sequence(walk.responses)])
        let endpoint: Endpoint<[Item]> = Shop(stub).endpoint {
            Route(walk.method, "items")
            Query("kind", "new")
            walk.envelope
            walk.paginated
        }
        do throws(APIError) {
            #expect(try await endpoint.all(streaming: true).collect().map(\.id) == walk.items)
            #expect(stub.requests.map { Self.text(of: $0) } == walk.requests)
        } catch {
            // Schemes that read an item or handle missing lists can only be read page by page.
            guard case .request(let failure) = error else { throw error }
            #expect(failure.declarationErrors.map(\.clause) == ["Paginated"])
            let text = walk.paginated.summary
            #expect(text.hasPrefix("after(lastItem:") || walk.paginated.missingList == .isEmpty)
            #expect(stub.requests.isEmpty)
        }
    }

    static func text(of request: ReceivedRequest) -> String {
        var text = request.url.absoluteString.replacingOccurrences(
            of: "https://shop.example/v1/items?",
            with: "?"
        )
        for name in ["X-Token"] {
            if let field = HTTPField.Name(name), let value = request.headerFields[field] {
                text += " \(name): \(value)"
            }
        }
        return request.body.isEmpty ? text : text + " " + request.text
    }

    /// Returns a page of items with the given identifiers and other members beside the items.
    static func page(_ ids: [Int], _ beside: String = "", headers: HTTPFields = []) -> StubResponse {
        let items = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
        return .json("{\"items\":[\(items)]\(beside.isEmpty ? "" : "," + beside)}", headers: headers)
    }

    static func field(_ name: String, _ value: String) -> HTTPFields {
        HTTPField.Name(name).map { HTTPField(name: $0, value: value) }.map { [$0] } ?? []
    }

    static let numbered = [
        Walk(
            testDescription: "numbers from 1 until an empty page",
            paginated: Paginated(.pageNumber()),
            responses: [page([1, 2]), page([3]), page([])],
            requests: ["?kind=new&page=1", "?kind=new&page=2", "?kind=new&page=3"],
            items: [1, 2, 3]
        ),
        Walk(
            testDescription: "numbers from 0 until a short page, with a size",
            paginated: Paginated(
                .pageNumber("p", startingAt: 0, size: .query("per_page", 2), endsAtShortPage: true)
            ),
            responses: [page([1, 2]), page([3])],
            requests: ["?kind=new&p=0&per_page=2", "?kind=new&p=1&per_page=2"],
            items: [1, 2, 3]
        ),
        Walk(
            testDescription: "numbers until the total in a header field, though the server caps the size",
            paginated: Paginated(.pageNumber(size: .query("size", 100), total: .field("X-Total"))),
            responses: [page([1, 2], headers: field("X-Total", "3")), page([3], headers: field("X-Total", "3"))],
            requests: ["?kind=new&page=1&size=100", "?kind=new&page=2&size=100"],
            items: [1, 2, 3],
            totals: [3, 3]
        ),
        Walk(
            testDescription: "numbers until the number of pages in the body",
            paginated: Paginated(.pageNumber(pageCount: .value("meta", "pages"))),
            responses: [page([1], #""meta":{"pages":2}"#), page([2], #""meta":{"pages":2}"#)],
            requests: ["?kind=new&page=1", "?kind=new&page=2"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "numbers from 0 and the number of pages",
            paginated: Paginated(.pageNumber(startingAt: 0, pageCount: .value("pages"))),
            responses: [page([1], #""pages":2"#), page([2], #""pages":2"#)],
            requests: ["?kind=new&page=0", "?kind=new&page=1"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "an offset until the total in the body",
            paginated: Paginated(.offset(size: .query("limit", 2), total: .value("count"))),
            responses: [page([1, 2], #""count":3"#), page([3], #""count":"3""#)],
            requests: ["?kind=new&offset=0&limit=2", "?kind=new&offset=2&limit=2"],
            items: [1, 2, 3],
            totals: [3, 3]
        ),
        Walk(
            testDescription: "an offset from 1 until an empty page",
            paginated: Paginated(.offset("start", startingAt: 1)),
            responses: [page([1, 2]), page([3]), page([])],
            requests: ["?kind=new&start=1", "?kind=new&start=3", "?kind=new&start=4"],
            items: [1, 2, 3]
        ),
        Walk(
            testDescription: "an empty first page is a page",
            paginated: Paginated(.pageNumber(total: .value("total"))),
            responses: [page([], #""total":0"#)],
            requests: ["?kind=new&page=1"],
            items: [],
            totals: [0]
        ),
        Walk(
            testDescription: "a missing list key on an empty page, as declared",
            paginated: Paginated(.pageNumber(), missingList: .isEmpty),
            responses: [page([1]), .json("{}")],
            requests: ["?kind=new&page=1", "?kind=new&page=2"],
            items: [1]
        ),
    ]

    static let tokens = [
        Walk(
            testDescription: "a token in the body, until it is null",
            paginated: Paginated(.cursor(at: "meta", "next", as: "after", size: .query("limit", 1))),
            responses: [page([1], #""meta":{"next":"a b"}"#), page([2], #""meta":{"next":null}"#)],
            requests: ["?kind=new&limit=1", "?kind=new&limit=1&after=a%20b"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a numeric token, until it is missing",
            paginated: Paginated(.cursor(at: "next", as: "after")),
            responses: [page([1], #""next":42"#), page([2])],
            requests: ["?kind=new", "?kind=new&after=42"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "an empty token ends the walk",
            paginated: Paginated(.cursor(at: "next", as: "after")),
            responses: [page([1], #""next":"""#)],
            requests: ["?kind=new"],
            items: [1]
        ),
        Walk(
            testDescription: "a token with a flag that says there is no more",
            paginated: Paginated(.cursor(at: "next", as: "after", hasMore: .value("more"))),
            responses: [page([1], #""next":"x","more":true"#), page([2], #""next":"y","more":false"#)],
            requests: ["?kind=new", "?kind=new&after=x"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a token in a header field, which goes into another",
            paginated: Paginated(.cursor(field: "X-Next", as: .field("X-Token"))),
            responses: [page([1], headers: field("X-Next", "t1")), page([2])],
            requests: ["?kind=new", "?kind=new X-Token: t1"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a token in the body of a POST",
            paginated: Paginated(.cursor(at: "next", as: .body("page", "token"))),
            method: "POST",
            responses: [page([1], #""next":"x""#), page([2])],
            requests: ["?kind=new {}", #"?kind=new {"page":{"token":"x"}}"#],
            items: [1, 2]
        ),
        Walk(
            testDescription: "the key of the last item, with a flag",
            paginated: Paginated(.after(lastItem: "id", as: "starting_after", hasMore: .value("has_more"))),
            responses: [page([1, 2], #""has_more":true"#), page([3], #""has_more":false"#)],
            requests: ["?kind=new", "?kind=new&starting_after=2"],
            items: [1, 2, 3]
        ),
        Walk(
            testDescription: "the key of the last item, until an empty page",
            paginated: Paginated(.after(lastItem: "id", as: "since")),
            responses: [page([1, 2]), page([])],
            requests: ["?kind=new", "?kind=new&since=2"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a scheme of one's own",
            paginated: Paginated(
                Paginated.Scheme("shelf") { page in
                    try page.value(at: "shelf", "next").map {
                        Paginated.Scheme.Request(query: ["shelf": $0.stringValue ?? ""])
                    }
                }
            ),
            responses: [page([1], #""shelf":{"next":"B"}"#), page([2], #""shelf":{}"#)],
            requests: ["?kind=new", "?kind=new&shelf=B"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a scheme of one's own that changes field and path",
            paginated: Paginated(
                Paginated.Scheme("shelf") { page in
                    page.number < 2
                        ? Paginated.Scheme.Request(headerFields: ["X-Token": "\(page.itemCount)"], url: "items/more")
                        : nil
                }
            ),
            responses: [page([1]), page([2])],
            requests: ["?kind=new", "https://shop.example/v1/items/more X-Token: 1"],
            items: [1, 2]
        ),
    ]

    static let links = [
        Walk(
            testDescription: "a Link field with a relative target (RFC 8288)",
            paginated: Paginated(.link(size: .query("n", 1))),
            responses: [
                page([1], headers: field("Link", #"<?page=2>; rel="next", <?page=9>; rel=last"#)),
                page([2], headers: field("Link", #"</v1/items?page=1>; rel="prev""#)),
            ],
            requests: ["?kind=new&n=1", "?page=2"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a URL as text in the body",
            paginated: Paginated(.next(at: "next", total: .value("count"))),
            responses: [
                page([1], #""count":2,"next":"https://shop.example/v1/items?page=2""#),
                page([2], #""count":2,"next":null"#),
            ],
            requests: ["?kind=new", "?page=2"],
            items: [1, 2],
            totals: [2, 2]
        ),
        Walk(
            testDescription: "a URL as an object in the body",
            paginated: Paginated(.next(at: "links", "next")),
            responses: [page([1], #""links":{"next":{"href":"/v1/items?page=2"}}"#), page([2], #""links":{}"#)],
            requests: ["?kind=new", "?page=2"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a list of links with rel in the body",
            paginated: Paginated(.next(at: "links")),
            responses: [
                page([1], #""links":[{"rel":"self","href":"?page=1"},{"rel":"Next","href":"?page=2"}]"#),
                page([2], #""links":[{"rel":"prev","href":"?page=1"}]"#),
            ],
            requests: ["?kind=new", "?page=2"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a URL in a header field",
            paginated: Paginated(.next(field: "Next-Page")),
            responses: [page([1], headers: field("Next-Page", "https://shop.example/v1/items?t=x")), page([2])],
            requests: ["?kind=new", "?t=x"],
            items: [1, 2]
        ),
        Walk(
            testDescription: "a link to another origin that is allowed",
            paginated: Paginated(.next(at: "next"), otherOrigins: ["https://cdn.example:8443"]),
            responses: [page([1], #""next":"https://cdn.example:8443/x""#), page([2])],
            requests: ["?kind=new", "https://cdn.example:8443/x"],
            items: [1, 2]
        ),
    ]

    static let bodies = [
        Walk(
            testDescription: "a list that is the whole body",
            paginated: Paginated(.after(lastItem: "id", as: "since")),
            envelope: .none,
            responses: [.json(#"[{"id":5}]"#), .json("[]")],
            requests: ["?kind=new", "?kind=new&since=5"],
            items: [5]
        )
    ]
}
